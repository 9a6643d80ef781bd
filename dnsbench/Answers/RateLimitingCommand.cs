namespace Dns.Bench;

/// <summary>The command <c>defence</c>: the cost of cookies and rate limiting for an answer in memory.</summary>
internal static class RateLimitingCommand
{
    internal static BenchCommand Command { get; } = new(
        "defence", "nanoseconds that cookies and the limit of answers add, beside the same answers without them",
        new OptionSet(
            ("names", "100000", "names of the zone, 100 or more"),
            ("queries", "20000", "different queries, asked in turn"),
            ("passes", "101", "passes of each, in turns; the median of the differences is reported"),
            ("mixes", "positive,nxdomain,mixed", string.Join(", ", QueryMix.Names)),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        int names = Math.Max(100, options.Int("names"));
        ZoneSlot slot = new(DomainName.Parse(ZoneText.Apex));
        slot.Publish(BenchZone.Load(names));
        ServerCookies cookies = new(TimeSpan.Zero, 1_700_000_000);
        RateLimiter limiter = new(new RateLimitOptions { Mode = RateLimitMode.Log });
        Report report = new(options["out"]);
        report.Line($"### Defences of an answer in memory, zone of {names:N0} names, batches of 64\n");
        report.Line(
            "The queries have a client cookie, the limit lets everything pass; both kinds of answers in turns.\n");
        report.Line(
            "| mix | ns, neither | cookies add | the limit adds | both add |\n| --- | ---: | ---: | ---: | ---: |");
        foreach (string mix in options.List("mixes"))
        {
            Question[] questions = QueryMix.Draw(mix, names, options.Int("queries"));
            AnswerLoop Loop(ResponderOptions with) =>
                new(BenchZone.Responder(slot, with), questions, edns: true, cookies: true);
            AnswerLoop neither = Loop(new ResponderOptions());
            AnswerLoop[] subjects =
            [
                Loop(new ResponderOptions { Cookies = cookies }), Loop(new ResponderOptions { RateLimiter = limiter }),
                Loop(new ResponderOptions { Cookies = cookies, RateLimiter = limiter }),
            ];
            report.Line($"| {mix} | {Compare(neither, subjects, limiter, Math.Max(1, options.Int("passes")))} |");
        }
        return Task.FromResult(0);
    }

    /// <summary>Alternating passes, so that all see the same load of the machine.</summary>
    private static string Compare(AnswerLoop neither, AnswerLoop[] subjects, RateLimiter limiter, int passes)
    {
        foreach (AnswerLoop loop in (AnswerLoop[])[neither, .. subjects]) AnswersCommand.WarmUp(loop, loop.RunBatches);
        Spread bare = new();
        Spread[] added = [.. subjects.Select(_ => new Spread())];
        for (int pass = 1; pass <= passes; pass++)
        {
            for (int i = 0; i < subjects.Length; i++)
            {
                limiter.Tick(pass);
                double before = AnswersCommand.Pass(neither, neither.RunBatches);
                added[i].Add(AnswersCommand.Pass(subjects[i], subjects[i].RunBatches) - before);
                bare.Add(before);
            }
        }
        return $"{bare.Middle:F0} | {string.Join(" | ", added.Select(one => one.Middle.ToString("F0")))}";
    }
}
