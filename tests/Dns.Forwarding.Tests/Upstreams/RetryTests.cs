using Xunit;

namespace Dns.Forwarding.Tests;

public class RetryTests
{
    private static readonly string True = ScriptedQuery.TrueAddress("www.example.");

    [Fact]
    public void Tries_to_an_unknown_upstream_go_out_after_400_ms_doubling_to_2_s_and_there_are_five()
    {
        ForwarderRig rig = new();
        rig.Upstream.IsDead = true;
        rig.Ask("www.example");
        rig.Clock.Advance(5100);
        AssertTimes([0, 400, 1200, 2800, 4800], rig.Upstream.Queries.Where(query => !query.IsProbe));
    }

    [Fact]
    public void Tries_to_a_fast_upstream_go_out_after_200_ms()
    {
        ForwarderRig rig = new();
        for (int i = 0; i < 20; i++) rig.Resolve($"n{i}.example");
        rig.Upstream.Queries.Clear();
        rig.Upstream.IsDead = true;
        TimeSpan start = rig.Clock.Elapsed;
        rig.Ask("www.example");
        rig.Clock.Advance(5100);
        // Each time-out makes the upstream count as slower, too.
        double[] times = [.. rig.Upstream.Queries.Where(query => !query.IsProbe)
            .Select(query => (query.At - start).TotalMilliseconds)];
        Assert.Equal(5, times.Length);
        Assert.InRange(times[1], 200, 210);
        Assert.All(times.Zip(times.Skip(1)), pair => Assert.InRange(pair.Second - pair.First, 200, 2011));
    }

    [Fact]
    public void A_reply_to_an_earlier_try_counts_until_the_deadline()
    {
        ForwarderRig rig = new(new() { AnswerWithin = TimeSpan.FromSeconds(6) });
        rig.Upstream.Script = query =>
        {
            if (rig.Upstream.Asked == 1) query.Answer(4500);
        };
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal(True, waiter.Result);
        Assert.InRange(waiter.WaitedMs, 4500, 4510);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void One_dead_upstream_of_two_costs_one_retry()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.IsDead = true;
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal(True, waiter.Result);
        Assert.InRange(waiter.WaitedMs, 410, 421);
        Assert.Equal(2, rig.Network.Clock.Elapsed > TimeSpan.Zero ? rig.Upstreams.Sum(upstream => upstream.Asked) : 0);
    }

    [Theory]
    [InlineData(Rcode.ServFail)]
    [InlineData(Rcode.Refused)]
    public void An_upstream_that_fails_is_followed_by_the_next_at_once_and_not_held_down(Rcode code)
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.Script = query => query.Fail(code);
        for (int i = 0; i < 10; i++) Assert.InRange(rig.Resolve($"n{i}.example").WaitedMs, 20, 22);
        Assert.Equal((10, 10), (rig.Upstreams[0].Asked, rig.Upstreams[1].Asked));
        Assert.All(rig.Forwarder.Upstreams, status => Assert.Equal(UpstreamState.Up, status.State));
    }

    [Fact]
    public void Whatever_replies_ask_for_a_question_is_sent_five_times_at_most()
    {
        ForwarderRig rig = new(upstreams: 4);
        int turn = 0;
        foreach (ScriptedUpstream upstream in rig.Upstreams)
            upstream.Script = query =>
            {
                switch (turn++ % 4)
                {
                    case 0: query.Reply(query.Message(0x8187, [], options: [], extendedRcode: 1)); break;
                    case 1: query.Fail(Rcode.FormErr); break;
                    case 2: query.Reply(query.Message(0x8380, [])); break;
                    default: query.CloseStream(); break;
                }
            };
        rig.Resolve("www.example");
        Assert.Equal(UpstreamQuery.MaxSends, rig.Upstreams.Sum(upstream => upstream.Asked));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Round_trips_are_smoothed()
    {
        RoundTrip trip = new();
        Assert.Equal(0, trip.Smoothed);
        trip.Add(80 * MonotonicClock.TicksPerMillisecond);
        Assert.Equal(80 * MonotonicClock.TicksPerMillisecond, trip.Smoothed);
        Assert.Equal(240 * MonotonicClock.TicksPerMillisecond, trip.Wait);
        for (int i = 0; i < 100; i++) trip.Add(160 * MonotonicClock.TicksPerMillisecond);
        Assert.InRange(trip.Smoothed, 159 * MonotonicClock.TicksPerMillisecond,
            160 * MonotonicClock.TicksPerMillisecond);
        for (int i = 0; i < 100; i++) trip.Add(9000 * MonotonicClock.TicksPerMillisecond);
        Assert.Equal(RoundTrip.MostWait, trip.Wait);
        for (int i = 0; i < 100; i++) trip.Add(1);
        Assert.Equal(RoundTrip.LeastWait, trip.Wait);
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(10_000, 0)]
    [InlineData(10_001, 1)]
    [InlineData(20_000, 1)]
    [InlineData(20_001, 2)]
    [InlineData(50_000_000, 11)]
    [InlineData(50_000_001, 12)]
    public void Round_trips_fall_in_the_first_class_that_holds_them(long ticks, int index)
    {
        RoundTrip trip = new();
        trip.Add(ticks);
        RoundTripCounts counts = trip.Counts;
        Assert.Equal((1, 1), (counts.Classes[index], counts.Classes.Sum()));
        Assert.Equal(ticks / 1e7, counts.Seconds, 1e-9);
        Assert.Equal(RoundTripCounts.UpperSeconds.Length + 1, counts.Classes.Length);
    }

    [Fact]
    public void Replies_over_udp_are_counted_by_their_round_trip()
    {
        ForwarderRig rig = new();
        rig.Resolve("www.example");
        RoundTripCounts counts = rig.Forwarder.Upstreams[0].RoundTrips;
        Assert.Equal(1, counts.Classes.Sum());
    }

    private static void AssertTimes(double[] expectedMs, IEnumerable<ScriptedQuery> queries)
    {
        double[] times = [.. queries.Select(query => query.At.TotalMilliseconds)];
        Assert.Equal(expectedMs.Length, times.Length);
        Assert.All(expectedMs.Zip(times), pair => Assert.InRange(pair.Second - pair.First, 0, 60));
    }
}
