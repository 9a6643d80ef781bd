using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>The system sends nothing to an upstream: no route, no address to send from, a local firewall.</summary>
public class UnreachableTests
{
    private static readonly NetworkFault NoRoute = new(IsUnreachable: true, "Network is unreachable");

    [Fact]
    public void An_upstream_without_a_route_is_down_after_two_seconds()
    {
        ForwarderRig rig = new();
        List<(UpstreamState, string)> told = [];
        rig.Forwarder.UpstreamChanged = (upstream, _) => told.Add((upstream.State, upstream.Reason));
        List<string> refused = [];
        rig.Forwarder.SocketRefused = (_, fault) => refused.Add(fault.Text);
        rig.Upstream.OpeningFault = NoRoute;
        Assert.Equal("SERVFAIL 23", rig.Resolve("www.example").Result);
        rig.Clock.Advance(1990);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        rig.Clock.Advance(110);
        Assert.Equal([(UpstreamState.Down, "cannot send: Network is unreachable")], told);
        Assert.Empty(refused);
        Assert.Equal(0, rig.Forwarder.Counters.RefusedSockets);
        Assert.Equal(ForwardResult.Unreachable, rig.TryAsk("other.example", new ScriptedWaiter(rig.Clock)));
    }

    [Fact]
    public void It_is_up_within_four_seconds_of_the_return_of_its_route()
    {
        ForwarderRig rig = new();
        GoDown(rig);
        rig.Clock.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.OpeningFault = null;
        rig.Clock.Advance(4100);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), rig.Resolve("www.example").Result);
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_route_that_is_back_within_two_seconds_leaves_it_up(bool isQueried)
    {
        ForwarderRig rig = new();
        List<UpstreamState> told = [];
        rig.Forwarder.UpstreamChanged = (upstream, _) => told.Add(upstream.State);
        rig.Upstream.OpeningFault = NoRoute;
        rig.Resolve("www.example");
        rig.Clock.Advance(1200);
        rig.Upstream.OpeningFault = null;
        // A probe opens a socket, and so ends the pause of queries.
        rig.Clock.Advance(430);
        if (isQueried)
            Assert.Equal(ScriptedQuery.TrueAddress("other.example."), rig.Resolve("other.example").Result);
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Empty(told);
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
    }

    [Fact]
    public void While_it_is_down_clients_that_wait_are_answered_as_if_it_were_silent()
    {
        ForwarderRig rig = new(new() { AnswerWithinWhileDown = TimeSpan.FromMilliseconds(300) });
        GoDown(rig);
        Assert.Equal("SERVFAIL 22", rig.Resolve("www.example").Result);
    }

    [Fact]
    public void While_it_is_down_its_reason_is_that_of_the_last_probe()
    {
        ForwarderRig rig = new();
        GoDown(rig);
        Assert.Equal("cannot send: Network is unreachable", rig.Forwarder.Upstreams[0].Reason);
        rig.Upstream.IsDead = true;
        rig.Upstream.OpeningFault = null;
        rig.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal("no answer", rig.Forwarder.Upstreams[0].Reason);
        rig.Upstream.OpeningFault = new(IsUnreachable: true, "Permission denied");
        rig.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal("cannot send: Permission denied", rig.Forwarder.Upstreams[0].Reason);
    }

    [Fact]
    public void With_a_dead_one_and_one_without_a_route_all_are_down()
    {
        ForwarderRig rig = new(new() { AnswerWithinWhileDown = TimeSpan.FromMilliseconds(300) }, upstreams: 2);
        rig.Upstreams[0].IsDead = true;
        rig.Upstreams[1].OpeningFault = NoRoute;
        for (int i = 0; i < 5; i++) rig.Ask($"n{i}.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(3.5));
        Assert.All(rig.Forwarder.Upstreams, status => Assert.Equal(UpstreamState.Down, status.State));
        Assert.Equal("SERVFAIL 22", rig.Resolve("www.example").Result);
    }

    [Fact]
    public void Questions_go_to_the_other_upstream_at_once()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.OpeningFault = NoRoute;
        for (int i = 0; i < 50; i++)
        {
            Assert.InRange(rig.Resolve($"n{i}.example").WaitedMs, 10, 12);
            rig.Clock.Advance(100);
        }
        Assert.Equal([UpstreamState.Down, UpstreamState.Up], rig.Forwarder.Upstreams.Select(status => status.State));
        // Queries open a socket once a second, probes at their times.
        Assert.InRange(rig.Network.PortsWanted, 50, 70);
    }

    [Fact]
    public void Stale_answers_are_given_without_a_route()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 5));
        rig.Resolve("www.example");
        rig.Clock.Advance(TimeSpan.FromMinutes(2));
        GoDown(rig);
        Assert.Equal(CacheState.Stale, rig.Known("www.example", out RelayedAnswer answer));
        Assert.Equal((Rcode.NoError, ExtendedErrorCode.StaleAnswer), (answer.Rcode, answer.Error));
    }

    [Fact]
    public void A_route_that_goes_while_sockets_are_open_takes_it_down()
    {
        ForwarderRig rig = new();
        for (int i = 0; i < 10; i++) rig.Resolve($"n{i}.example");
        rig.Upstream.IsUnreachable = true;
        rig.Upstream.OpeningFault = NoRoute;
        Assert.Equal("SERVFAIL 23", rig.Resolve("www.example").Result);
        rig.Clock.Advance(2100);
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.IsUnreachable = false;
        rig.Upstream.OpeningFault = null;
        rig.Clock.Advance(1100);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_firewall_that_refuses_datagrams_of_any_socket_takes_it_down()
    {
        ForwarderRig rig = new();
        rig.Upstream.IsUnreachable = true;
        rig.Resolve("www.example");
        rig.Clock.Advance(2100);
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        Assert.Equal("cannot send: No route to host", rig.Forwarder.Upstreams[0].Reason);
        rig.Upstream.IsUnreachable = false;
        rig.Clock.Advance(1100);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Sockets_whose_own_address_is_gone_are_replaced_at_once()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 64 });
        for (int i = 0; i < 400; i++) rig.Resolve($"n{i}.example");
        int[] old = [.. rig.Network.Ports];
        Assert.InRange(old.Length, 20, 64);
        rig.Upstream.IsUnreachable = true;
        rig.Upstream.UnreachablePorts = old;
        for (int i = 0; i < 400; i++)
            Assert.Equal(ScriptedQuery.TrueAddress($"m{i}.example."), rig.Resolve($"m{i}.example").Result);
        Assert.InRange(rig.Network.Ports.Intersect(old).Count(), 0, 3);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Errors_of_open_sockets_which_can_be_forged_take_no_upstream_down()
    {
        ForwarderRig rig = new();
        List<UpstreamState> told = [];
        rig.Forwarder.UpstreamChanged = (upstream, _) => told.Add(upstream.State);
        for (int i = 0; i < 300; i++)
        {
            rig.Resolve($"n{i}.example");
            rig.Upstream.IsUnreachable = true;
            rig.Upstream.UnreachablePorts = rig.Network.Ports;
            rig.Clock.Advance(50);
        }
        Assert.Empty(told);
    }

    [Fact]
    public void Errors_of_open_sockets_do_not_count_where_no_new_one_can_be_opened()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 4 });
        for (int i = 0; i < 20; i++) rig.Resolve($"n{i}.example");
        rig.Network.MaxPorts = 0;
        rig.Upstream.IsUnreachable = true;
        rig.Resolve("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
    }

    [Fact]
    public void One_answer_ends_the_suspicion()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 1 });
        List<UpstreamState> told = [];
        rig.Forwarder.UpstreamChanged = (upstream, _) => told.Add(upstream.State);
        rig.Upstream.IsUnreachable = true;
        rig.Resolve("www.example");
        rig.Clock.Advance(1900);
        rig.Upstream.IsUnreachable = false;
        rig.Resolve("other.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Empty(told);
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
    }

    private static void GoDown(ForwarderRig rig)
    {
        rig.Upstream.OpeningFault = NoRoute;
        rig.Resolve("down.example");
        rig.Clock.Advance(2100);
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
    }
}
