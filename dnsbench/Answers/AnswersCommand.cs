using System.Diagnostics;

namespace Dns.Bench;

/// <summary>The command <c>answers</c>: nanoseconds and bytes of a whole query in memory.</summary>
internal static class AnswersCommand
{
    private const int WarmUpMs = 1500;

    internal static BenchCommand Command { get; } = new(
        "answers", "nanoseconds and bytes from a query to its answer in memory, by kind of question",
        new OptionSet(
            ("names", "100000", "names of the zone, 100 or more"),
            ("queries", "200000", "different queries, asked in turn"),
            ("passes", "9", "passes; the median is reported with the range"),
            ("mixes", string.Join(',', QueryMix.Names), "what to ask"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        Report report = new(options["out"]);
        report.Line($"### From query to answer in memory, zone of {options.Int("names"):N0} names\n");
        report.Line("Whole `Responder.Respond`, queries in random order; the copying into the slot is taken off.\n");
        report.Line("| mix | ns, one by one (range) | ns, batches of 64 | with EDNS, one by one | bytes/query |");
        report.Line("| --- | ---: | ---: | ---: | ---: |");
        foreach (string mix in options.List("mixes"))
        {
            AnswerLoop plain = Prepare(options, mix, edns: false), edns = Prepare(options, mix, edns: true);
            int passes = options.Int("passes");
            Spread single = Measure(plain, plain.Run, passes, out double bytes);
            Spread batched = Measure(plain, plain.RunBatches, passes, out double batchedBytes);
            Spread withEdns = Measure(edns, edns.Run, passes, out double ednsBytes);
            double most = Math.Max(bytes, Math.Max(batchedBytes, ednsBytes));
            report.Line($"| {mix} | {single} | {batched} | {withEdns} | {most:0.##} |");
        }
        return Task.FromResult(0);
    }

    private static AnswerLoop Prepare(OptionValues options, string mix, bool edns) =>
        new(Math.Max(100, options.Int("names")), mix, options.Int("queries"), edns);

    private static Spread Measure(AnswerLoop loop, Func<int> run, int passes, out double bytes)
    {
        WarmUp(loop, run);
        Spread spread = new();
        long before = GC.GetAllocatedBytesForCurrentThread(), own = 0;
        for (int i = 0; i < passes; i++)
        {
            double nanoseconds = Pass(loop, run);
            long after = GC.GetAllocatedBytesForCurrentThread();
            spread.Add(nanoseconds);
            own += GC.GetAllocatedBytesForCurrentThread() - after;
        }
        bytes = (double)(GC.GetAllocatedBytesForCurrentThread() - before - own) / loop.Count / passes;
        return spread;
    }

    /// <summary>Runs until the code is fully compiled.</summary>
    internal static void WarmUp(AnswerLoop loop, Func<int> run)
    {
        for (long began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began).TotalMilliseconds < WarmUpMs;)
            GC.KeepAlive(Pass(loop, run));
    }

    /// <summary>Nanoseconds of a query in one pass over all, without the copying.</summary>
    internal static double Pass(AnswerLoop loop, Func<int> run)
    {
        long began = Stopwatch.GetTimestamp();
        int sum = loop.RunCopiesOnly();
        double copyingNs = Stopwatch.GetElapsedTime(began).TotalNanoseconds;
        began = Stopwatch.GetTimestamp();
        sum += run();
        double nanoseconds = (Stopwatch.GetElapsedTime(began).TotalNanoseconds - copyingNs) / loop.Count;
        return sum == 0 ? double.NaN : nanoseconds;
    }
}
