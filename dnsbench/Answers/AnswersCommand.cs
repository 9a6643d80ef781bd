using System.Diagnostics;

namespace Dns.Bench;

/// <summary>The command <c>answers</c>: nanoseconds and bytes of a whole query in memory.</summary>
internal static class AnswersCommand
{
    private const int WarmUpMs = 1500;

    internal static Verb Verb { get; } = new(
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
        int sum = 0;
        for (long began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began).TotalMilliseconds < WarmUpMs;)
            sum += run() + loop.RunCopiesOnly();
        Spread spread = new();
        long allocated = 0;
        for (int i = 0; i < passes; i++)
        {
            long began = Stopwatch.GetTimestamp();
            sum += loop.RunCopiesOnly();
            double copyingNs = Stopwatch.GetElapsedTime(began).TotalNanoseconds;
            long before = GC.GetAllocatedBytesForCurrentThread();
            began = Stopwatch.GetTimestamp();
            sum += run();
            spread.Add((Stopwatch.GetElapsedTime(began).TotalNanoseconds - copyingNs) / loop.Count);
            allocated += GC.GetAllocatedBytesForCurrentThread() - before;
        }
        bytes = (double)allocated / loop.Count / passes;
        GC.KeepAlive(sum);
        return spread;
    }
}
