using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>All upstreams are dead and clients ask on, 4,000 different questions a second.</summary>
public class OutageTests
{
    private const int PerTurn = 40;
    private static readonly TimeSpan Turn = TimeSpan.FromMilliseconds(10);

    [Fact]
    public void A_flood_of_questions_for_dead_upstreams_fails_fast_and_is_not_sent_on()
    {
        ForwarderRig rig = new(new() { MaxInFlightPerClient = 100_000 }, upstreams: 2);
        Kill(rig, true);
        Flood first = new(rig, "a");
        first.Run(seconds: 2.6);
        Assert.Equal(0, rig.Forwarder.Counters.TableFull);
        Assert.InRange(rig.Forwarder.InFlight, 1, rig.Options.MaxInFlight / 4 * 3);
        int sentBefore = rig.Upstreams.Sum(upstream => upstream.Queries.Count);
        Flood second = new(rig, "b");
        second.Run(seconds: 4);
        // A few are sent, so that they detect a return too; the others are answered at once.
        Assert.InRange(second.Unreachable, 0.99 * second.Asked, second.Asked);
        Assert.InRange(rig.Upstreams.Sum(upstream => upstream.Queries.Count) - sentBefore, 1,
            4 * 2 * 2 * Upstream.MaxWhileDown);
        Assert.Equal(second.Unreachable + first.Unreachable, rig.Forwarder.Counters.Unreachable);
        rig.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.All(first.Waiters.Concat(second.Waiters),
            waiter => Assert.Equal((1, "SERVFAIL 22"), (waiter.Times, waiter.Result)));
        Assert.All(first.Waiters.Concat(second.Waiters), waiter => Assert.InRange(waiter.WaitedMs, 0, 5000));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void After_an_outage_under_load_answers_come_at_once_when_the_upstreams_are_back()
    {
        ForwarderRig rig = new(new() { MaxInFlightPerClient = 100_000 }, upstreams: 2);
        Kill(rig, true);
        ScriptedWaiter early = rig.Ask("www.example");
        new Flood(rig, "a").Run(seconds: 5);
        Assert.Equal("SERVFAIL 22", early.Result);
        Kill(rig, false);
        rig.Clock.Advance(TimeSpan.FromSeconds(4.1));
        Flood after = new(rig, "b");
        after.Run(seconds: 1);
        rig.Clock.Advance(1000);
        Assert.Equal(0, after.Unreachable);
        Assert.All(after.Waiters, waiter => Assert.Equal(Rcode.NoError, waiter.Answer.Rcode));
        // What failed in the outage is not held against a name.
        Assert.Equal(CacheState.Miss, rig.Known("www.example", out _));
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), rig.Resolve("www.example").Result);
    }

    [Fact]
    public void A_blink_of_the_network_costs_those_who_wait_no_answer()
    {
        ForwarderRig rig = new(new() { MaxInFlightPerClient = 100_000 });
        Kill(rig, true);
        Flood flood = new(rig, "a");
        flood.Run(seconds: 0.7);
        Kill(rig, false);
        rig.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.InRange(flood.Waiters.Count, 1000, flood.Asked);
        Assert.All(flood.Waiters, waiter => Assert.Equal(Rcode.NoError, waiter.Answer.Rcode));
    }

    [Fact]
    public void While_all_upstreams_are_held_down_old_answers_come_at_once()
    {
        ForwarderRig rig = new(new() { MaxInFlightPerClient = 100_000 }, upstreams: 2);
        foreach (ScriptedUpstream upstream in rig.Upstreams)
            upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 5));
        rig.Resolve("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        Kill(rig, true);
        new Flood(rig, "a").Run(seconds: 3);
        Assert.Equal(CacheState.Stale, rig.Known("www.example", out RelayedAnswer answer));
        Assert.Equal((Rcode.NoError, ExtendedErrorCode.StaleAnswer), (answer.Rcode, answer.Error));
        // Somebody has to find out when there is a new one.
        Kill(rig, false);
        rig.Clock.Advance(TimeSpan.FromSeconds(4.1));
        rig.Known("www.example", out _);
        rig.Resolve("www.example");
        Assert.Equal(CacheState.Fresh, rig.Known("www.example", out _));
    }

    [Fact]
    public void A_full_table_gives_way_to_an_old_answer()
    {
        ForwarderRig rig = new(new() { MaxInFlight = 10 });
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 5));
        rig.Resolve("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        rig.Upstream.Script = _ => { };
        for (int i = 0; i < 10; i++) rig.Ask($"n{i}.example", client: $"198.51.100.{i}:53");
        Assert.Equal(CacheState.Stale, rig.Known("www.example", out RelayedAnswer answer));
        Assert.Equal(ExtendedErrorCode.StaleAnswer, answer.Error);
    }

    [Fact]
    public void Questions_that_a_living_upstream_fails_do_not_pile_up_at_a_dead_one()
    {
        ForwarderRig rig = new(new() { MaxInFlightPerClient = 100_000 }, upstreams: 2);
        rig.Upstream.Script = query => query.Fail(Rcode.ServFail);
        rig.Upstreams[1].IsDead = true;
        Flood flood = new(rig, "a");
        flood.Run(seconds: 3);
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[1].State);
        rig.Upstreams[1].Queries.Clear();
        new Flood(rig, "b").Run(seconds: 2);
        Assert.InRange(rig.Upstreams[1].Queries.Count, 1, 2 * 2 * Upstream.MaxWhileDown);
        Assert.InRange(rig.Forwarder.InFlight, 1, rig.Options.MaxInFlight / 2);
    }

    private static void Kill(ForwarderRig rig, bool isDead)
    {
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.IsDead = isDead;
    }

    /// <summary>New questions from many clients, as from a worker.</summary>
    private sealed class Flood(ForwarderRig rig, string prefix)
    {
        public List<ScriptedWaiter> Waiters { get; } = [];

        public int Asked { get; private set; }

        public int Unreachable { get; private set; }

        public void Run(double seconds)
        {
            for (int turn = (int)(seconds / Turn.TotalSeconds); turn > 0; turn--)
            {
                for (int i = 0; i < PerTurn; i++) Ask($"{prefix}{Asked++}.example");
                rig.Clock.Advance(Turn);
            }
        }

        private void Ask(string name)
        {
            ScriptedWaiter waiter = new(rig.Clock);
            ForwardResult result = rig.TryAsk(name, waiter, client: $"198.51.100.{Asked % 50}:53");
            if (result == ForwardResult.Unreachable) Unreachable++;
            else Waiters.Add(waiter);
            Assert.Contains(result, (ForwardResult[])[ForwardResult.Joined, ForwardResult.Unreachable]);
        }
    }
}
