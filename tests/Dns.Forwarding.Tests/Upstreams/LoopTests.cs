using System.Net;
using Xunit;

namespace Dns.Forwarding.Tests;

public class LoopTests
{
    [Fact]
    public void A_query_of_ours_that_comes_back_ends_at_once_and_the_upstream_is_not_asked_again()
    {
        ForwarderRig rig = new(upstreams: 2);
        List<ForwardResult> results = [];
        rig.Upstream.Script =
            query => rig.Clock.Plan(TimeSpan.FromMilliseconds(1), () => results.Add(ComeBack(rig, query)));
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), waiter.Result);
        Assert.InRange(waiter.WaitedMs, 10, 13);
        Assert.Equal([ForwardResult.Loop], results);
        Assert.Equal(UpstreamState.Self, rig.Forwarder.Upstreams[0].State);
        for (int i = 0; i < 10; i++) rig.Resolve($"n{i}.example");
        Assert.Equal(1, rig.Upstream.Asked);
        Assert.Equal(1, rig.Forwarder.Counters.Loops);
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(0, 0x80)]
    [InlineData(1, 0x01)]
    [InlineData(MessageHeader.LengthOctets + 1, 0x20)]
    public void A_query_from_a_port_of_ours_with_another_id_or_letter_case_is_no_loop(int offset, int bits)
    {
        ForwarderRig rig = new();
        ScriptedWaiter? forged = null;
        rig.Upstream.Script = query => rig.Clock.Plan(TimeSpan.FromMilliseconds(1), () =>
        {
            byte[] received = [.. query.Octets];
            received[offset] ^= (byte)bits;
            forged = new(rig.Clock) { Received = received, IsProven = false };
            Assert.Equal(ForwardResult.Joined, ComeBack(rig, query, forged));
            query.Answer();
        });
        string expected = ScriptedQuery.TrueAddress("www.example.");
        Assert.Equal(expected, rig.Resolve("www.example").Result);
        Assert.Equal(expected, forged!.Result);
        Assert.Equal((UpstreamState.Up, 0L), (rig.Forwarder.Upstreams[0].State, rig.Forwarder.Counters.Loops));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_forger_of_our_address_has_sixteen_guesses_of_an_id_at_a_time()
    {
        ForwarderRig rig = new();
        rig.Upstream.IsDead = true;
        rig.Ask("www.example");
        ForwardResult[] results = [.. Enumerable.Range(1, 20).Select(guess =>
        {
            byte[] received = [.. rig.First.Octets];
            received[0] ^= (byte)guess;
            return ComeBack(rig, rig.First, new ScriptedWaiter(rig.Clock) { Received = received, IsProven = false });
        })];
        Assert.Equal(ClientShares.MostOfQuestion, results.Count(result => result == ForwardResult.Joined));
        Assert.Equal(0, rig.Forwarder.Counters.Loops);
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void After_a_minute_an_upstream_that_was_this_server_is_tried_again(bool isStillOurs)
    {
        ForwarderRig rig = new(upstreams: 2);
        bool isOurs = true;
        List<UpstreamState> told = [];
        rig.Forwarder.UpstreamChanged = (upstream, _) => told.Add(upstream.State);
        rig.Upstream.Script = query =>
        {
            if (!isOurs) query.Answer();
            else rig.Clock.Plan(TimeSpan.FromMilliseconds(1), () => ComeBack(rig, query));
        };
        rig.Resolve("www.example.");
        rig.Clock.Advance(TimeSpan.FromSeconds(59));
        rig.Resolve("a.example.");
        Assert.Equal(1, rig.Upstream.Asked);
        isOurs = isStillOurs;
        rig.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        // Whoever it is now, the question is answered.
        Assert.Equal(ScriptedQuery.TrueAddress("b.example."), rig.Resolve("b.example.").Result);
        Assert.Equal(2, rig.Upstream.Asked);
        rig.Clock.Advance(100);
        UpstreamState now = isStillOurs ? UpstreamState.Self : UpstreamState.Up;
        Assert.Equal(now, rig.Forwarder.Upstreams[0].State);
        Assert.Equal(isStillOurs ? [UpstreamState.Self] : [UpstreamState.Self, UpstreamState.Up], told);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void An_upstream_that_was_an_address_of_ours_is_asked_when_it_is_no_more()
    {
        ForwarderRig rig = new(new() { OwnEndPoints = [IPEndPoint.Parse("192.0.2.1:53")] });
        rig.Clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal(UpstreamState.Self, rig.Forwarder.Upstreams[0].State);
        rig.Forwarder.Use(rig.Options with { OwnEndPoints = [] });
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), rig.Resolve("www.example.").Result);
        rig.Forwarder.Use(rig.Options);
        Assert.Equal(UpstreamState.Self, rig.Forwarder.Upstreams[0].State);
    }

    [Fact]
    public void With_nobody_else_to_ask_a_loop_is_a_server_failure_at_once()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script =
            query => rig.Clock.Plan(TimeSpan.FromMilliseconds(1), () => ComeBack(rig, query));
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal("SERVFAIL 22", waiter.Result);
        Assert.InRange(waiter.WaitedMs, 0, 3);
    }

    [Fact]
    public void A_loop_through_another_forwarder_joins_itself_and_ends_at_the_deadline()
    {
        ForwarderRig rig = new(new() { AnswerWithin = TimeSpan.FromSeconds(6) });
        int asked = 0;
        rig.Upstream.Script = query => rig.Clock.Plan(TimeSpan.FromMilliseconds(1), () =>
        {
            if (query.IsProbe) return;
            asked++;
            ScriptedWaiter other = new(rig.Clock) { Told = () => query.Fail(Rcode.ServFail) };
            // Nothing is heard of the upstream but this, so it is down in the end.
            bool isDown = rig.Forwarder.Upstreams[0].State == UpstreamState.Down;
            Assert.Equal(
                isDown ? ForwardResult.Unreachable : ForwardResult.Joined,
                rig.TryAsk("www.example", other, client: "192.0.2.1:4444"));
        });
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal(Rcode.ServFail, waiter.Answer.Rcode);
        Assert.InRange(waiter.WaitedMs, 4970, 5000);
        Assert.InRange(asked, 1, UpstreamQuery.MaxSends);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void An_upstream_that_is_an_address_of_ours_is_never_asked()
    {
        ForwarderRig rig = new(new() { OwnEndPoints = [IPEndPoint.Parse("[::ffff:192.0.2.1]:53")] }, upstreams: 2);
        for (int i = 0; i < 10; i++) rig.Resolve($"n{i}.example");
        Assert.Empty(rig.Upstream.Queries);
        Assert.Equal([UpstreamState.Self, UpstreamState.Up],
            rig.Forwarder.Upstreams.Select(status => status.State));
    }

    /// <summary>An upstream query is received as a query of a client, from the port that sent it.</summary>
    private static ForwardResult ComeBack(ForwarderRig rig, ScriptedQuery query, ScriptedWaiter? waiter = null) =>
        rig.TryAsk(query.Text, waiter ?? new(rig.Clock) { Received = query.Octets, IsProven = false },
            client: $"192.0.2.200:{query.Port}");
}
