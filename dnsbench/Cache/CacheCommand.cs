using System.Diagnostics;
using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// The command <c>cache</c>: the cost of a hit, the size of an entry, and the hit ratio during a flood.
/// </summary>
internal static class CacheCommand
{
    private const int WarmUpMs = 1200;
    // Passes are short, so that some are undisturbed on a busy machine.
    private const int Questions = 1 << 14;
    private const int HitRateSeed = 20260101;

    internal static BenchCommand Command { get; } = new(
        "cache", "the forwarder's cache: nanoseconds and bytes of a hit, bytes of an entry, hit rates under a flood",
        new OptionSet(
            ("entries", "1000,100000,1000000", "entries for the cost of a hit"),
            ("passes", "51", "passes; the median is reported with the range"),
            ("names", "1000000", "names of the hit-rate load"),
            ("questions", "6000000", "its questions; the first third warms up"),
            ("flood", "0.5", "the share of names that are asked once"),
            ("exponent", "0.95", "the exponent of the Zipf distribution"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        Report report = new(options["out"]);
        report.Line("\n### A hit: the name read and hashed, the records copied, the TTLs counted down\n");
        report
            .Line(
                "| entries | what | ns (range) | ns beside 20,000 stores/s | bytes allocated | memory/entry over " +
                    "the records |");
        report.Line("| ---: | --- | ---: | ---: | ---: | ---: |");
        foreach (string entries in options.List("entries"))
            CostOfHits(int.Parse(entries, CultureInfo.InvariantCulture), options.Int("passes"), report);
        report.Line($"\n### Hits of clients in %, {options.Int("names"):N0} names, exponent {options["exponent"]}, " +
            $"{options.Number("flood"):P0} of the questions are a flood\n");
        report.Line("| memory MB | entries held | hits |");
        report.Line("| ---: | ---: | ---: |");
        foreach (int megabytes in (int[])[2, 8, 32]) HitRates(megabytes, options, report);
        return Task.FromResult(0);
    }

    private static void CostOfHits(int entries, int passes, Report report)
    {
        int[] asked = Draw(entries);
        // 160 bytes of the limit for an entry: room enough for all, with tables of realistic size.
        long limit = Math.Max(entries * 160L, CacheOptions.LeastBytes),
            before = GC.GetTotalMemory(forceFullCollection: true);
        using AnswerCache cache = new(new CacheOptions { MaxBytes = limit }, TimeProvider.System);
        CachedNames names = new(cache);
        for (int i = 0; i < entries; i++) names.Store(i);
        double bytes =
            (double)(GC.GetTotalMemory(forceFullCollection: true) - before) / entries - CachedNames.RecordOctets;
        if (cache.Counters.Entries != entries)
            throw new InvalidDataException($"{cache.Counters.Entries} of {entries} entries are there");
        Spread alone = Measure(names.Ask, asked, passes, out double allocated);
        using CancellationTokenSource stop = new();
        Thread writer = new(() => StoreSteadily(cache, entries, stop.Token)) { IsBackground = true };
        writer.Start();
        Spread beside = Measure(names.Ask, asked, passes, out _);
        stop.Cancel();
        writer.Join();
        Row(report, entries, "ours", alone, beside.ToString(), allocated, bytes);
        Spread hash = Measure(number => names.Hash(number) != 0, asked, passes, out allocated);
        Row(report, entries, "name and hash alone", hash, "", allocated, 0);
    }

    private static void Row(Report report, int entries, string what, Spread alone, string beside, double allocated,
        double bytes) =>
        report.Line(string.Create(CultureInfo.InvariantCulture,
            $"| {entries:N0} | {what} | {alone} | {beside} | {allocated:0.##} | {bytes:F0} |"));

    private static int[] Draw(int entries)
    {
        Random random = new(1);
        return [.. Enumerable.Range(0, Questions).Select(_ => random.Next(entries))];
    }

    private static Spread Measure(Func<long, bool> ask, int[] asked, int passes, out double allocated)
    {
        int hits = 0;
        for (long began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began).TotalMilliseconds < WarmUpMs;)
            hits += Pass(ask, asked);
        Spread spread = new();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < passes; i++)
        {
            long began = Stopwatch.GetTimestamp();
            hits += Pass(ask, asked);
            spread.Add(Stopwatch.GetElapsedTime(began).TotalNanoseconds / asked.Length);
        }
        // Only the list of the spread itself is allocated.
        allocated =
            Math.Max(0, GC.GetAllocatedBytesForCurrentThread() - before - 1024) / (double)((long)asked.Length * passes);
        GC.KeepAlive(hits);
        return spread;
    }

    private static int Pass(Func<long, bool> ask, int[] asked)
    {
        int hits = 0;
        foreach (int number in asked) hits += ask(number) ? 1 : 0;
        return hits;
    }

    /// <summary>Replaces entries, 200 every hundredth of a second.</summary>
    private static void StoreSteadily(AnswerCache cache, int entries, CancellationToken stop)
    {
        CachedNames names = new(cache);
        Random random = new(2);
        while (!stop.WaitHandle.WaitOne(10))
            for (int i = 0; i < 200; i++) names.Store(random.Next(entries));
    }

    private static void HitRates(int megabytes, OptionValues options, Report report)
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = (long)megabytes << 20 }, TimeProvider.System);
        double rate = HitRate(new CachedNames(cache), options);
        report.Line(string.Create(
            CultureInfo.InvariantCulture, $"| {megabytes} | {cache.Counters.Entries:N0} | {rate:F1} |"));
    }

    private static double HitRate(CachedNames names, OptionValues options)
    {
        ZipfLoad load = new(options.Int("names"), options.Number("exponent"), options.Number("flood"), HitRateSeed);
        int questions = options.Int("questions"), hits = 0, asked = 0;
        for (int i = 0; i < questions; i++)
        {
            long name = load.Next(out bool isFlood);
            bool isHit = names.Ask(name);
            if (!isHit) names.Store(name);
            if (isFlood || i < questions / 3) continue;
            asked++;
            if (isHit) hits++;
        }
        return 100.0 * hits / asked;
    }
}
