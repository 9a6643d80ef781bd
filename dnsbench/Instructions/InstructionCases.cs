namespace Dns.Bench;

/// <summary>The counted operations, those of the product. Each is set up in its turn.</summary>
internal static class InstructionCases
{
    private const int Calls = 64;

    private static readonly string[] Kinds = ["positive", "nxdomain", "nodata", "referral", "cname", "mx", "mixed"];
    private static readonly string[] EdnsKinds = ["positive", "nxdomain", "mixed"];
    private static readonly string[] SignedKinds = ["positive", "nxdomain", "nodata", "referral", "mx"];

    /// <summary>Benchmarks of the phases that are counted as they are.</summary>
    private static readonly (Type Type, string[] Methods)[] Benchmarks =
    [
        (typeof(NameReading), [nameof(NameReading.LookupName)]),
        (typeof(CacheHits), [nameof(CacheHits.Hit), nameof(CacheHits.Miss), nameof(CacheHits.Store)]),
        (typeof(Exchanges), [nameof(Exchanges.AskAndComplete), nameof(Exchanges.JoinAndComplete)]),
    ];

    /// <summary>Measures all, one after the other.</summary>
    internal static IEnumerable<(string Name, double Instructions)> Measure(IInstructionCounter counter, string only)
    {
        // What counting itself needs is compiled now.
        counter.Count(static () => { });
        foreach (InstructionCase answer in Answers().Where(answer => answer.Name.Contains(only)))
            yield return (answer.Name, answer.Measure(counter));
        foreach ((Type type, string[] methods) in Benchmarks)
        {
            BenchmarkCase[] cases = BenchmarkCase.Of(type, out Action cleanUp);
            foreach (BenchmarkCase one in cases.Where(one => one.Name.Contains(only)))
                if (methods.Contains(one.Name.Split('.')[1])) yield return (one.Name, Repeated(one).Measure(counter));
            cleanUp();
        }
    }

    private static IEnumerable<InstructionCase> Answers()
    {
        ZoneSlot slot = new(DomainName.Parse(ZoneText.Apex));
        slot.Publish(BenchZone.Load(BenchZone.DefaultNames));
        Responder responder = BenchZone.Responder(slot);
        foreach (string kind in Kinds) yield return Batches($"Answer.{kind}", new(responder, Draw(kind), edns: false));
        foreach (string kind in EdnsKinds)
            yield return Batches($"Answer.{kind}.edns", new(responder, Draw(kind), edns: true));
        // In an unsigned zone DO must cost nothing.
        yield return Batches("Answer.nxdomain.dnssecOk", new(responder, Draw("nxdomain"), edns: true, dnssecOk: true));
        foreach (InstructionCase signed in Signed("signed", DenialPlan.Nsec)) yield return signed;
        foreach (InstructionCase signed in Signed("nsec3", DenialPlan.Nsec3)) yield return signed;
        AnswerLoop single = new(responder, Draw("positive"), edns: false);
        yield return new("Answer.positive.single", () => single.Run(), single.Count, () => single.RunCopiesOnly());
        Responder edited = BenchZone.Responder(BenchZone.Edited(BenchZone.Load(BenchZone.DefaultNames)));
        yield return Batches("Answer.positive.edited", new(edited, Draw("positive"), edns: false));
        Responder withCookies = BenchZone.Responder(slot, new() { Cookies = new(TimeSpan.Zero, 1_700_000_000) });
        yield return Batches("Answer.positive.cookie", new(withCookies, Draw("positive"), edns: true, cookies: true));
        Responder limited = BenchZone.Responder(slot, new() { RateLimiter = new(new() { Mode = RateLimitMode.Log }) });
        yield return Batches("Answer.positive.limited", new(limited, Draw("positive"), edns: false));
    }

    private static IEnumerable<InstructionCase> Signed(string name, DenialPlan denial)
    {
        Responder responder = BenchZone.Signed(denial);
        foreach (string kind in SignedKinds)
            yield return Batches($"Answer.{kind}.{name}", BenchZone.SignedLoop(responder, kind, Calls));
    }

    private static Question[] Draw(string kind) => QueryMix.Draw(kind, BenchZone.DefaultNames, Calls);

    private static InstructionCase Batches(string name, AnswerLoop loop) =>
        new(name, () => loop.RunBatches(), loop.Count, () => loop.RunCopiesOnly());

    private static InstructionCase Repeated(BenchmarkCase benchmark)
    {
        int calls = Math.Max(1, Calls / benchmark.Operations);
        Action call = benchmark.Call;
        return new(
            benchmark.Name,
            () =>
            {
                for (int i = 0; i < calls; i++) call();
            },
            calls * benchmark.Operations);
    }
}
