using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 5: answers from a zone that was edited until its name table had pages only, and a change of one name.
/// </summary>
public class EditedZones
{
    private AnswerLoop _positive = null!;
    private EditedZone _changing = null!;

    /// <summary>Edits the zone and draws the questions.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        Answering.Responder responder = BenchZone.Responder(BenchZone.Edited(BenchZone.Load(BenchZone.DefaultNames)));
        _positive = new(responder, QueryMix.Draw("positive", BenchZone.DefaultNames, AnswerLoop.Batch), edns: false);
        _changing = new(BenchZone.DefaultNames);
    }

    /// <summary>An address, 64 queries at a time.</summary>
    [Benchmark(OperationsPerInvoke = AnswerLoop.Batch)]
    public int Positive() => _positive.RunBatches();

    /// <summary>Publishes the next version of a zone: a new serial, another address of a random name.</summary>
    [Benchmark]
    [CallsOfRound(500)]
    public void ChangeOne() => _changing.ChangeOne();
}
