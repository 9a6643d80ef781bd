using System.Collections.Frozen;
using System.Diagnostics;
using System.Globalization;
using System.Numerics;

namespace Dns.Bench;

/// <summary>The command <c>zoneset</c>: the cost of adding, removing and diagnostic one of many zones.</summary>
internal static class ZoneSetCommand
{
    private const int Seed = 9432;
    private const int Changes = 200;
    private const int Probes = 1 << 20;

    private static readonly int[] Sizes = [1, 1_000, 100_000, 1_000_000];

    internal static BenchCommand Command { get; } = new(
        "zoneset", "microseconds and bytes for one zone that comes or goes, and nanoseconds to find one",
        new OptionSet(("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        Report report = new(options["out"]);
        report
            .Line(
                "| zones | find, ns | FrozenDictionary, ns | change, µs | bytes for a change | FrozenDictionary " +
                    "anew, ms |");
        report.Line("| ---: | ---: | ---: | ---: | ---: | ---: |");
        foreach (int size in Sizes) report.Line(Measure(size));
        return Task.FromResult(0);
    }

    private static string Measure(int size)
    {
        ZoneSlot[] slots =
            [.. Enumerable.Range(0, size).Select(i => new ZoneSlot(DomainName.Parse($"zone{i:D7}.test")))];
        ZoneSet set = ZoneSet.Create(slots);
        KeyValuePair<ulong, ZoneSlot>[] pairs =
            [.. slots.Select(slot => KeyValuePair.Create(NameHash.Compute(slot.Name.Octets), slot))];
        long began = Stopwatch.GetTimestamp();
        FrozenDictionary<ulong, ZoneSlot> frozen = pairs.ToFrozenDictionary();
        double milliseconds = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        LookupName[] names = new LookupName[1 << Math.Min(BitOperations.Log2((uint)size), 12)];
        Random random = new(Seed);
        for (int i = 0; i < names.Length; i++) names[i].Set(slots[random.Next(size)].Name.Octets);
        double ours = Time(() => Find(set, names)), theirs = Time(() => Find(frozen, names));
        (double microseconds, long bytes) = Change(set);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {size:N0} | {ours:F1} | {theirs:F1} | {microseconds:F1} | {bytes:N0} | {milliseconds:F1} |");
    }

    /// <summary>Nanoseconds for each of the probes; the best of several runs.</summary>
    private static double Time(Func<int> find)
    {
        double best = double.MaxValue;
        for (int run = 0; run < 5; run++)
        {
            long began = Stopwatch.GetTimestamp();
            if (find() != Probes) throw new InvalidDataException("a zone is not found");
            best = Math.Min(best, Stopwatch.GetElapsedTime(began).TotalNanoseconds / Probes);
        }
        return best;
    }

    private static int Find(ZoneSet set, LookupName[] names)
    {
        int found = 0;
        for (int i = 0; i < Probes; i++)
            if (set.Find(in names[i & (names.Length - 1)], 0, out _) is not null) found++;
        return found;
    }

    private static int Find(FrozenDictionary<ulong, ZoneSlot> frozen, LookupName[] names)
    {
        int found = 0;
        for (int i = 0; i < Probes; i++)
        {
            ref LookupName name = ref names[i & (names.Length - 1)];
            if (frozen.TryGetValue(name.SuffixHash(0), out ZoneSlot? slot)
                && WireName.EqualsIgnoreCase(slot.Name.Octets, name.Suffix(0))) found++;
        }
        return found;
    }

    private static (double Microseconds, long Bytes) Change(ZoneSet set)
    {
        ZoneSlot[] more =
            [.. Enumerable.Range(0, Changes).Select(i => new ZoneSlot(DomainName.Parse($"more{i}.test")))];
        foreach (ZoneSlot slot in more) set = set.With([], [slot]).With([slot], []);
        long allocated = GC.GetAllocatedBytesForCurrentThread(), began = Stopwatch.GetTimestamp();
        foreach (ZoneSlot slot in more) set = set.With([], [slot]);
        foreach (ZoneSlot slot in more) set = set.With([slot], []);
        double microseconds = Stopwatch.GetElapsedTime(began).TotalMicroseconds / (2 * Changes);
        return (microseconds, (GC.GetAllocatedBytesForCurrentThread() - allocated) / (2 * Changes));
    }
}
