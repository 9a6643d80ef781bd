using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 5: a whole query to its answer in memory, over a zone of 100,000 names, for a thousand questions in turn.
/// </summary>
public class WholeAnswers
{
    private AnswerLoop _loop = null!;

    /// <summary>The questions.</summary>
    [Params("positive", "referral", "nxdomain", "nodata", "cname", "mixed")]
    public string Mix { get; set; } = "";

    /// <summary>Whether the queries have an OPT record.</summary>
    [Params(false, true)]
    public bool Edns { get; set; }

    /// <summary>Loads the zone and draws the questions.</summary>
    [GlobalSetup]
    public void SetUp() => _loop = new AnswerLoop(BenchZone.DefaultNames, Mix, AnswerLoop.Batch, Edns);

    /// <summary>The responder, in place.</summary>
    [Benchmark(OperationsPerInvoke = AnswerLoop.Batch)]
    public int Respond() => _loop.Run();

    /// <summary>The responder, 64 queries at a time.</summary>
    [Benchmark(OperationsPerInvoke = AnswerLoop.Batch)]
    public int RespondToBatch() => _loop.RunBatches();
}
