using System.Diagnostics;

namespace Dns.Bench;

/// <summary>
/// The command <c>edit</c>: the cost of one changed name of a large zone, and of many a second for concurrent queries.
/// </summary>
internal static class EditCommand
{
    private const int WarmUpEdits = 200;

    internal static BenchCommand Command { get; } = new(
        "edit",
        "microseconds and octets to change one name of a large zone; answers beside a thousand changes a second",
        new OptionSet(
            ("names", "10000000", "names of the zone whose changes are timed one by one; 0 leaves that out"),
            ("edits", "20000", "changes, each of a name drawn at random and of the serial"),
            ("order", OptionSet.Switch, "the names are put into canonical order first, and kept in it"),
            ("served", "1000000", "names of the zone that is asked while it changes; 0 leaves that out"),
            ("rate", "1000", "changes of it a second"),
            ("queries", "50000", "questions a second"),
            ("seconds", "12", "how long it is asked in each round, first while nothing changes, then while it does"),
            ("rounds", "5", "rounds of that; the ratio is the median"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        Report report = new(options["out"]);
        if (options.Int("names") > 0) MeasureEdits(options, report);
        if (options.Int("served") > 0) MeasureAnswers(options, report);
        return Task.FromResult(0);
    }

    private static void MeasureEdits(OptionValues options, Report report)
    {
        int names = Math.Max(100, options.Int("names")), edits = Math.Max(1, options.Int("edits"));
        EditedZone zone = new(names);
        Zone first = zone.Current;
        long started = Stopwatch.GetTimestamp();
        if (options.Has("order")) _ = first.Order;
        double orderSeconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
        for (int i = 0; i < WarmUpEdits; i++) zone.ChangeOne();
        long before = zone.Current.MemoryBytes, most = 0, all = 0;
        int[] collections = Collections();
        LatencyHistogram times = new();
        long blocking = GC.GetGCMemoryInfo(GCKind.FullBlocking).Index;
        TimeSpan pauses = GC.GetTotalPauseDuration();
        for (int i = 0; i < edits; i++)
        {
            ZoneDelta delta = zone.NextDelta();
            long octets = GC.GetAllocatedBytesForCurrentThread(), began = Stopwatch.GetTimestamp();
            zone.Apply(delta);
            times.Add((long)Stopwatch.GetElapsedTime(began).TotalNanoseconds);
            octets = GC.GetAllocatedBytesForCurrentThread() - octets;
            most = Math.Max(most, octets);
            all += octets;
        }
        double pausedMs = (GC.GetTotalPauseDuration() - pauses).TotalMilliseconds;
        int[] after = Collections();
        report.Line($"### One name of {names:N0} changed, with the serial, {edits:N0} times\n");
        report
            .Line(
                "| median µs | p99 | longest | octets allocated, mean | most | zone MB before, after | collections " +
                    "gen 0, 1, 2 "
            + "| full and blocking | paused ms |");
        report.Line("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        report.Line(
            $"| {times.Percentile(0.5) / 1e3:F1} | {times.Percentile(0.99) / 1e3:F1} | {times.Percentile(1) / 1e3:F0} "
            + $"| {all / edits:N0} | {most:N0} | {before / 1e6:F1}, {zone.Current.MemoryBytes / 1e6:F1} "
            + $"| {after[0] - collections[0]}, {after[1] - collections[1]}, {after[2] - collections[2]} "
            + $"| {(GC.GetGCMemoryInfo(GCKind.FullBlocking).Index != blocking ? "yes" : "none")} | {pausedMs:F1} |\n");
        if (options.Has("order")) report.Line($"Canonical order made in {orderSeconds:F2} s.\n");
        started = Stopwatch.GetTimestamp();
        ZoneDelta between = ZoneDelta.Between(first, zone.Current);
        double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
        report
            .Line(
                $"Difference of the first and the last version found in {seconds:F2} s: {between.Added.Count:N0} " +
                    $"records added.\n");
    }

    private static void MeasureAnswers(OptionValues options, Report report)
    {
        int names = Math.Max(100, options.Int("served")), rate = Math.Max(1, options.Int("rate"));
        int queries = Math.Max(1, options.Int("queries")), seconds = Math.Max(1, options.Int("seconds"));
        EditedZone zone = new(names);
        PacedQuestions asked = new(zone, queries);
        asked.Run(seconds: 2);
        int rounds = Math.Max(1, options.Int("rounds"));
        double[] ratios = new double[rounds];
        report.Line(
            $"### {queries:N0} questions a second beside changes of a zone of {names:N0} names, {seconds} s each\n");
        report
            .Line(
                "| changes a second | answered | wrong | median µs | p99 | p99.9 | zone MB before, after | heap MB " +
                    "before, after |");
        report.Line("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        for (int round = 0; round < rounds; round++)
        {
            double quiet = MeasureAnswers(zone, asked, 0, seconds, report),
                edited = MeasureAnswers(zone, asked, rate, seconds, report);
            ratios[round] = edited / quiet;
        }
        Array.Sort(ratios);
        report
            .Line($"\np99 beside changes by p99 without: {ratios[rounds / 2]:F2} ({ratios[0]:F2} to {ratios[^1]:F2}).");
    }

    /// <summary>Queries during a number of changes a second; returns the 99th percentile in nanoseconds.</summary>
    private static double MeasureAnswers(EditedZone zone, PacedQuestions asked, int rate, int seconds, Report report)
    {
        long before = zone.Current.MemoryBytes, heap = GC.GetTotalMemory(forceFullCollection: true);
        int changed = 0;
        using CancellationTokenSource end = new();
        Thread writer = new(() => changed = zone.ChangeAtPace(rate, end.Token));
        if (rate > 0) writer.Start();
        (LatencyHistogram times, long wrong) = asked.Run(seconds);
        end.Cancel();
        if (rate > 0) writer.Join();
        report.Line($"| {changed / seconds:N0} | {times.Count:N0} | {wrong} | {times.Percentile(0.5) / 1e3:F2} "
            + $"| {times.Percentile(0.99) / 1e3:F2} | {times.Percentile(0.999) / 1e3:F2} "
            +
            $"| {before / 1e6:F1}, {zone.Current.MemoryBytes / 1e6:F1} | {heap / 1e6:F0}, " +
            $"{GC.GetTotalMemory(true) / 1e6:F0} |");
        return times.Percentile(0.99);
    }

    private static int[] Collections() => [GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2)];
}
