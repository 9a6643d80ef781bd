using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>When clients are answered without a reply, and which of them continue to wait.</summary>
public class AnswerTimeTests
{
    private static readonly string True = ScriptedQuery.TrueAddress("slow.example.");

    [Fact]
    public void Who_waits_for_silent_upstreams_is_told_in_time_and_the_question_asked_on()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(), 3000);
        ScriptedWaiter[] waiters = [rig.Ask("slow.example"), Impatient(rig)];
        rig.Clock.Advance(TimeSpan.FromSeconds(4));
        Assert.All(waiters, waiter => Assert.Equal((1, "SERVFAIL 22"), (waiter.Times, waiter.Result)));
        Assert.All(waiters, waiter => Assert.InRange(waiter.WaitedMs, 1770, 1800));
        Assert.Equal(2, rig.Forwarder.Counters.TimedOut);
        Assert.Equal(CacheState.Fresh, rig.Known("slow.example", out _));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_slow_name_of_an_upstream_that_answers_others_is_waited_for_by_who_is_patient()
    {
        ForwarderRig rig = new();
        AnswerSlowly(rig, 3000);
        ScriptedWaiter patient = rig.Ask("slow.example"), impatient = Impatient(rig);
        rig.Clock.Advance(100);
        rig.Ask("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal((1, "SERVFAIL 22"), (impatient.Times, impatient.Result));
        Assert.InRange(impatient.WaitedMs, 1770, 1800);
        Assert.Equal((1, True), (patient.Times, patient.Result));
        Assert.InRange(patient.WaitedMs, 3000, 3010);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Each_client_has_its_own_time()
    {
        ForwarderRig rig = new(new() { AnswerWithin = TimeSpan.FromSeconds(1) });
        AnswerSlowly(rig, 4500);
        ScriptedWaiter[] waiters = new ScriptedWaiter[6];
        for (int i = 0; i < waiters.Length; i++)
        {
            waiters[i] = Impatient(rig);
            rig.Clock.Advance(350);
            rig.Resolve($"n{i}.example");
        }
        rig.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.All(waiters, waiter => Assert.Equal((1, "SERVFAIL 22"), (waiter.Times, waiter.Result)));
        Assert.All(waiters, waiter => Assert.InRange(waiter.WaitedMs, 970, 1000));
        // After all were answered, another client has its own time, too.
        ScriptedWaiter late = Impatient(rig);
        rig.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((1, True), (late.Times, late.Result));
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(1000, 770, 800)]
    [InlineData(1790, 0, 30)]
    [InlineData(3000, 0, 30)]
    public void The_time_of_a_datagram_counts_from_the_query_of_the_client(int waitedMs, int earliestMs, int latestMs)
    {
        ForwarderRig rig = new();
        AnswerSlowly(rig, 3000);
        // One that waits already has more time.
        ScriptedWaiter first = rig.Ask("slow.example"), waiter = new(rig.Clock) { IsProven = false };
        TimeSpan waited = TimeSpan.FromMilliseconds(waitedMs);
        Assert.Equal(ForwardResult.Joined, rig.TryAsk("slow.example", waiter, waited: waited));
        ScriptedWaiter patient = new(rig.Clock);
        Assert.Equal(ForwardResult.Joined, rig.TryAsk("slow.example", patient, waited: waited));
        rig.Clock.Advance(100);
        rig.Ask("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal((1, "SERVFAIL 22"), (waiter.Times, waiter.Result));
        Assert.InRange(waiter.WaitedMs, earliestMs, latestMs);
        Assert.Equal((True, True), (first.Result, patient.Result));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_client_that_waited_for_an_alias_gives_nobody_else_the_stale_answer()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 5));
        rig.Resolve("slow.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        rig.Upstream.Script = query => query.Answer(1200);
        ScriptedWaiter first = rig.Ask("slow.example"), late = new(rig.Clock) { IsProven = false };
        TimeSpan waited = TimeSpan.FromSeconds(1.7);
        Assert.Equal(ForwardResult.Joined, rig.TryAsk("slow.example", late, waited: waited));
        rig.Clock.Advance(TimeSpan.FromSeconds(0.5));
        Assert.Equal((1, ExtendedErrorCode.StaleAnswer), (late.Times, late.Answer.Error));
        Assert.InRange(late.WaitedMs, 70, 100);
        // Nor those who come then.
        ScriptedWaiter next = rig.Ask("slow.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.All([first, next], waiter =>
            Assert.Equal((1, True, (ExtendedErrorCode?)null), (waiter.Times, waiter.Result, waiter.Answer.Error)));
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(1800, 1900)]
    [InlineData(100, 1900)]
    [InlineData(3000, 3100)]
    public void A_datagram_is_sent_within_1900_ms_or_a_little_after_the_time_of_the_clients(int answerWithinMs,
        int latestMs)
    {
        ForwarderRig rig = new(new() { AnswerWithin = TimeSpan.FromMilliseconds(answerWithinMs) });
        Assert.Equal(latestMs, rig.Forwarder.LatestDatagram.TotalMilliseconds);
    }

    private static void AnswerSlowly(ForwarderRig rig, double afterMs) => rig.Upstream.Script = query =>
    {
        if (!query.Text.StartsWith("slow", StringComparison.Ordinal)) query.Answer();
        else if (rig.Upstream.Queries.Count(other => other.Text == query.Text) == 1) query.Answer(afterMs);
    };

    private static ScriptedWaiter Impatient(ForwarderRig rig)
    {
        ScriptedWaiter waiter = new(rig.Clock) { IsProven = false };
        Assert.Equal(ForwardResult.Joined, rig.TryAsk("slow.example", waiter));
        return waiter;
    }
}
