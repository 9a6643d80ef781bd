namespace Dns.Bench;

/// <summary>The command <c>prepared</c>: the savings by pre-encoded parts of an answer.</summary>
internal static class PreparedCommand
{
    internal static BenchCommand Command { get; } = new(
        "prepared", "nanoseconds of answers with what is ready for them, beside the same answers without it",
        new OptionSet(
            ("names", "100000", "names of the zone, 100 or more"),
            ("queries", "500", "different queries, asked in turn; few stay in the caches, many do not"),
            ("passes", "301", "passes of each, in turns; the median is reported with that of the ratios"),
            ("kinds", string.Join(',', PreparedAnswers.Kinds),
                "nxdomain, nodata: the SOA; referral, ns, mx, cname: answers kept; ns-links, mx-links: links to hosts"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        int names = Math.Max(100, options.Int("names")), queries = Math.Max(1, options.Int("queries"));
        PreparedAnswers answers = new(names);
        Report report = new(options["out"]);
        report.Line(
            $"### Answers with prepared parts and without, zone of {names:N0} names, {queries:N0} queries in turn\n");
        report.Line(
            "| answer | ns, prepared | ns, the general way | prepared by general |\n| --- | ---: | ---: | ---: |");
        foreach (string kind in options.List("kinds"))
        {
            if (!PreparedAnswers.Kinds.Contains(kind)) throw new UsageException($"no kind \"{kind}\"");
            (AnswerLoop prepared, AnswerLoop general) = answers.Loops(kind, queries);
            report.Line($"| {kind} | {Compare(prepared, general, Math.Max(1, options.Int("passes")))} |");
        }
        return Task.FromResult(0);
    }

    /// <summary>Alternating passes, so that both see the same load of the machine.</summary>
    private static string Compare(AnswerLoop prepared, AnswerLoop general, int passes)
    {
        AnswersCommand.WarmUp(prepared, prepared.Run);
        AnswersCommand.WarmUp(general, general.Run);
        Spread with = new(), without = new(), ratio = new();
        for (int i = 0; i < passes; i++)
        {
            double a = AnswersCommand.Pass(prepared, prepared.Run), b = AnswersCommand.Pass(general, general.Run);
            with.Add(a);
            without.Add(b);
            ratio.Add(a / b);
        }
        return $"{with.Middle:F0} | {without.Middle:F0} | {ratio.Middle:F2}";
    }
}
