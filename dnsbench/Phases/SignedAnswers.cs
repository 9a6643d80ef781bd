using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 5: a query with DO to its signed answer in memory, 64 at a time.</summary>
public class SignedAnswers
{
    private AnswerLoop _positive = null!, _referral = null!, _nameError = null!, _hashedNameError = null!;

    /// <summary>Signs the zones and draws the questions.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        Answering.Responder responder = BenchZone.Signed(DenialPlan.Nsec);
        _positive = BenchZone.SignedLoop(responder, "positive", AnswerLoop.Batch);
        _referral = BenchZone.SignedLoop(responder, "referral", AnswerLoop.Batch);
        _nameError = BenchZone.SignedLoop(responder, "nxdomain", AnswerLoop.Batch);
        _hashedNameError = BenchZone.SignedLoop(BenchZone.Signed(DenialPlan.Nsec3), "nxdomain", AnswerLoop.Batch);
    }

    /// <summary>An address and its signature.</summary>
    [Benchmark(OperationsPerInvoke = AnswerLoop.Batch)]
    public int Positive() => _positive.RunBatches();

    /// <summary>A referral without DS, and the proof of that.</summary>
    [Benchmark(OperationsPerInvoke = AnswerLoop.Batch)]
    public int Referral() => _referral.RunBatches();

    /// <summary>NXDOMAIN with NSEC.</summary>
    [Benchmark(OperationsPerInvoke = AnswerLoop.Batch)]
    public int NameError() => _nameError.RunBatches();

    /// <summary>NXDOMAIN with NSEC3.</summary>
    [Benchmark(OperationsPerInvoke = AnswerLoop.Batch)]
    public int HashedNameError() => _hashedNameError.RunBatches();
}
