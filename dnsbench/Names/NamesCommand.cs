using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Dns.Bench;

/// <summary>The command <c>names</c>: our index of names against the dictionaries of the library.</summary>
internal static class NamesCommand
{
    private const int WarmUpMs = 1200;
    private const int BatchSize = 16;

    internal static BenchCommand Command { get; } = new(
        "names", "build time, bytes and nanoseconds of a lookup, by index and number of names",
        new OptionSet(
            ("sizes", "100000,1000000", "numbers of names"),
            ("large", OptionSet.Switch, "also 10 million names; takes about 3 GB"),
            ("probes", "1048576", "lookups in one pass"),
            ("passes", "7", "passes; the median is reported with the range"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        Report report = new(options["out"]);
        IEnumerable<int> sizes = options.List("sizes").Select(int.Parse);
        foreach (int size in options.Has("large") ? sizes.Append(10_000_000) : sizes)
            Compare(size, options.Int("probes"), options.Int("passes"), report);
        return Task.FromResult(0);
    }

    private static void Compare(int size, int probeCount, int passes, Report report)
    {
        NameSample sample = new(size);
        NameProbes hits = new(sample, probeCount, miss: false), misses = new(sample, probeCount, miss: true);
        report
            .Line($"\n### {size:N0} names, {probeCount:N0} lookups in random order, hash and verification included\n");
        report.Line("| index | ns hit (range) | ns miss | build ms | bytes/name, index only |");
        report.Line("| --- | ---: | ---: | ---: | ---: |");
        Row(report, "hash alone", sample, hits, misses, passes, _ => default(HashOnly));
        IndexedNames ours = Row(report, "ours", sample, hits, misses, passes, s => new IndexedNames(s));
        report.Line($"| ours, batches of {BatchSize} with prefetch | {Batched(ours, hits, passes)} " +
            $"| {Batched(ours, misses, passes).Middle:F0} | | |");
        Row(report, "Dictionary of hashes", sample, hits, misses, passes, s => new HashedDictionary(s));
        Row(report, "FrozenDictionary of hashes", sample, hits, misses, passes, s => new HashedFrozen(s));
        Row(report, "FrozenDictionary, alternate lookup", sample, hits, misses, passes, s => new AlternateFrozen(s));
        Row(report, "ConcurrentDictionary of hashes", sample, hits, misses, passes, s => new HashedConcurrent(s));
    }

    private static T Row<T>(
        Report report, string name, NameSample sample, NameProbes hits, NameProbes misses, int passes,
        Func<NameSample, T> build)
        where T : struct, INameIndex
    {
        // Once for the JIT, on few names, so that the figure is that of building and not of compiling.
        build(new NameSample(20_000));
        long before = GC.GetTotalMemory(forceFullCollection: true);
        long began = Stopwatch.GetTimestamp();
        T index = build(sample);
        double buildMs = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        double bytes = Math.Max(0, GC.GetTotalMemory(forceFullCollection: true) - before) / (double)sample.Count;
        Spread hit = Measure(() => Pass(index, hits), hits.Count, passes);
        Spread miss = Measure(() => Pass(index, misses), misses.Count, passes);
        report.Line($"| {name} | {hit} | {miss.Middle:F0} | {buildMs:F0} | {bytes:F1} |");
        return index;
    }

    private static Spread Batched(IndexedNames index, NameProbes probes, int passes) =>
        Measure(() => PassInBatches(index, probes), probes.Count, passes);

    private static Spread Measure(Func<uint> pass, int operations, int passes)
    {
        uint sum = 0;
        for (long began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began).TotalMilliseconds < WarmUpMs;)
            sum += pass();
        Spread spread = new();
        for (int i = 0; i < passes; i++)
        {
            long began = Stopwatch.GetTimestamp();
            sum += pass();
            spread.Add(Stopwatch.GetElapsedTime(began).TotalNanoseconds / operations);
        }
        GC.KeepAlive(sum);
        return spread;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static uint Pass<T>(T index, NameProbes probes) where T : struct, INameIndex
    {
        uint sum = 0;
        for (int i = 0; i < probes.Count; i++) sum += index.Find(probes[i]);
        return sum;
    }

    /// <summary>
    /// Hashes and slots of a batch, then its nodes, then the lookups, as the responder does: misses of the cache
    /// overlap.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static uint PassInBatches(IndexedNames index, NameProbes probes)
    {
        Span<ulong> hashes = stackalloc ulong[BatchSize];
        uint sum = 0;
        for (int first = 0; first < probes.Count; first += BatchSize)
        {
            int count = Math.Min(BatchSize, probes.Count - first);
            for (int i = 0; i < count; i++)
            {
                hashes[i] = NameSample.Hash(probes[first + i]);
                index.PrefetchSlot(hashes[i]);
            }
            for (int i = 0; i < count; i++) index.PrefetchNode(hashes[i]);
            for (int i = 0; i < count; i++) sum += index.Find(probes[first + i], hashes[i]);
        }
        return sum;
    }
}
