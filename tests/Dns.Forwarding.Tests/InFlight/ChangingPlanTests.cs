using System.Net;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Zones, upstreams, clients and limits that change while questions are on their way.</summary>
public class ChangingPlanTests
{
    private readonly ForwarderRig _rig = new(upstreams: 3);

    private ForwardZone Root(params int[] upstreams) => Zone(".", upstreams);

    private ForwardZone Zone(string name, params int[] upstreams) =>
        new(DomainName.Parse(name), [.. upstreams.Select(number => _rig.Upstreams[number].Address)],
            UpstreamPolicy.Ordered);

    private bool Use(params ForwardZone[] zones) => _rig.Forwarder.Use(_rig.Options with { Zones = zones });

    private int[] Asked => [.. _rig.Upstreams.Select(upstream => upstream.Asked)];

    [Fact]
    public void A_new_zone_is_asked_of_its_own_upstream_and_what_others_said_of_it_is_forgotten()
    {
        _rig.Resolve("www.corp.example");
        _rig.Resolve("www.example");
        Assert.True(Use(Root(0, 1, 2), Zone("corp.example.", 2)));
        Assert.Equal(CacheState.Miss, _rig.Known("www.corp.example", out _));
        Assert.Equal(CacheState.Fresh, _rig.Known("www.example", out _));
        _rig.Resolve("www.corp.example");
        Assert.Equal([2, 0, 1], Asked);
        Assert.True(Use(Root(0, 1, 2)));
        Assert.Equal(CacheState.Miss, _rig.Known("www.corp.example", out _));
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Another_upstream_takes_over_and_answers_stay_as_long_as_one_is_left()
    {
        Use(Root(0, 1));
        _rig.Resolve("www.example");
        Assert.True(Use(Root(1)));
        Assert.Equal(CacheState.Fresh, _rig.Known("www.example", out _));
        _rig.Resolve("new.example");
        Assert.True(Use(Root(2)));
        Assert.Equal(CacheState.Miss, _rig.Known("www.example", out _));
        _rig.Resolve("www.example");
        Assert.Equal([1, 1, 1], Asked);
        Assert.Equal([_rig.Upstreams[2].Address], _rig.Forwarder.Upstreams.Select(status => status.Address));
    }

    [Fact]
    public void A_question_on_its_way_ends_as_it_began_and_its_answer_is_not_kept()
    {
        ScriptedWaiter waiter = _rig.Ask("www.example");
        Use(Root(1));
        _rig.Clock.Advance(12);
        Assert.Equal((1, Rcode.NoError), (waiter.Times, waiter.Answer.Rcode));
        Assert.Equal(CacheState.Miss, _rig.Known("www.example", out _));
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_question_that_comes_later_does_not_wait_for_an_upstream_that_is_asked_no_more()
    {
        _rig.Upstream.IsDead = true;
        ScriptedWaiter before = _rig.Ask("www.example");
        Use(Root(1));
        ScriptedWaiter later = _rig.Ask("www.example");
        _rig.Clock.Advance(12);
        Assert.Equal((0, 1, Rcode.NoError), (before.Times, later.Times, later.Answer.Rcode));
        _rig.AssertNothingIsLeft();
        Assert.Equal(1, before.Times);
    }

    [Fact]
    public void A_zone_that_stays_does_not_notice_that_another_changes()
    {
        Use(Root(0), Zone("corp.example.", 1));
        ScriptedWaiter waiter = _rig.Ask("www.corp.example");
        Use(Zone("corp.example.", 1), Root(2));
        ScriptedWaiter later = _rig.Ask("www.corp.example");
        _rig.Clock.Advance(12);
        Assert.Equal((1, 1), (waiter.Times, later.Times));
        Assert.Equal(CacheState.Fresh, _rig.Known("www.corp.example", out _));
        Assert.Equal([0, 1, 0], Asked);
    }

    [Fact]
    public void What_was_kept_by_other_rules_is_forgotten()
    {
        _rig.Resolve("www.example");
        Assert.True(_rig.Forwarder.Use(_rig.Options with { DropPrivateAddresses = true }));
        Assert.Equal(CacheState.Miss, _rig.Known("www.example", out _));
        _rig.Resolve("www.example");
        ForwardZone trusting = Root(0, 1, 2) with { TrustAuthenticData = true };
        Assert.True(_rig.Forwarder.Use(_rig.Options with { DropPrivateAddresses = true, Zones = [trusting] }));
        Assert.Equal(CacheState.Miss, _rig.Known("www.example", out _));
    }

    [Fact]
    public void The_origin_of_what_is_kept_is_that_of_the_same_zones_upstreams_and_rules()
    {
        byte[] Origin(params ForwardZone[] zones)
        {
            Use(zones);
            return [.. _rig.Forwarder.Origin];
        }

        byte[] first = Origin(Root(0, 1), Zone("corp.example.", 2));
        Assert.Equal(first, Origin(Zone("CORP.example.", 2), Root(1, 0) with { Policy = UpstreamPolicy.Fastest }));
        Assert.NotEqual(first, Origin(Root(0, 1), Zone("corp.example.", 1)));
        Assert.NotEqual(first, Origin(Root(0, 1)));
        Assert.NotEqual(first, Origin(Root(0, 1) with { TrustAuthenticData = true }, Zone("corp.example.", 2)));
        _rig.Forwarder
            .Use(_rig.Options with { Zones = [Root(0, 1), Zone("corp.example.", 2)], DropPrivateAddresses = true });
        Assert.NotEqual(first, [.. _rig.Forwarder.Origin]);
    }

    [Fact]
    public void What_is_asked_no_more_is_not_held_on_to()
    {
        WeakReference old = Ask();
        Use(Root(1));
        _rig.Clock.Advance(TimeSpan.FromSeconds(11));
        GC.Collect();
        Assert.False(old.IsAlive);

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        WeakReference Ask()
        {
            ForwardZone zone = Root(0);
            Use(zone);
            _rig.Resolve("www.example");
            return new(zone);
        }
    }

    [Fact]
    public void Without_zones_nobody_is_told_that_others_are_asked()
    {
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("198.51.100.1:53"));
        Assert.True(_rig.Forwarder.MayRecurse(ref client));
        Use();
        Assert.False(_rig.Forwarder.MayRecurse(ref client));
        Use(Root(0));
        Assert.True(_rig.Forwarder.MayRecurse(ref client));
    }

    [Fact]
    public void Sockets_that_nobody_waits_at_are_closed_with_the_change()
    {
        Use(Root(0));
        for (int i = 0; i < 20; i++) _rig.Resolve($"n{i}.example");
        Assert.InRange(_rig.Network.OpenPorts, 10, 20);
        _rig.Upstream.IsDead = true;
        ScriptedWaiter waiter = _rig.Ask("www.example");
        Use(Root(1));
        Assert.Equal(1, _rig.Network.OpenPorts);
        _rig.Upstream.IsDead = false;
        _rig.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal((1, Rcode.NoError), (waiter.Times, waiter.Answer.Rcode));
    }

    [Fact]
    public void Sockets_of_an_upstream_that_is_asked_no_more_are_closed_once_nobody_waits_for_it()
    {
        Use(Root(0));
        _rig.Upstream.IsDead = true;
        ScriptedWaiter waiter = _rig.Ask("www.example");
        Use(Root(1));
        Assert.NotEqual(0, _rig.Network.OpenPorts);
        _rig.Clock.Advance(TimeSpan.FromSeconds(5.1));
        Assert.Equal(1, waiter.Times);
        _rig.Clock.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(0, _rig.Network.OpenPorts);
        Assert.Equal(0, _rig.Forwarder.ArmedTimers);
    }

    [Fact]
    public void What_was_learnt_of_an_upstream_that_stays_goes_on()
    {
        _rig.Upstream.IsDead = true;
        for (int i = 0; i < 3; i++) _rig.Resolve($"n{i}.example");
        _rig.Clock.Advance(TimeSpan.FromSeconds(2));
        Use(Zone("example.", 0, 1));
        UpstreamStatus status = _rig.Forwarder.Upstreams[0];
        Assert.Equal((UpstreamState.Down, "example."), (status.State, Assert.Single(status.Zones).ToString()));
        _rig.Upstream.Queries.Clear();
        _rig.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.All(_rig.Upstream.Queries, probe => Assert.Equal("example.", probe.Text));
        Assert.NotEmpty(_rig.Upstream.Queries);
    }

    [Fact]
    public void The_same_zones_change_nothing()
    {
        _rig.Resolve("www.example");
        Assert.False(_rig.Forwarder.Use(_rig.Options with { Zones = [Root(0, 1, 2)], MaxInFlight = 17 }));
        Assert.Equal(CacheState.Fresh, _rig.Known("www.example", out _));
        ScriptedWaiter waiter = _rig.Ask("other.example");
        _rig.Forwarder.Use(_rig.Options);
        _rig.Clock.Advance(12);
        Assert.Equal(1, waiter.Times);
        Assert.Equal(CacheState.Fresh, _rig.Known("other.example", out _));
    }

    [Fact]
    public void Clients_and_limits_change()
    {
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("203.0.113.1:53"));
        Assert.False(_rig.Forwarder.MayRecurse(ref client));
        _rig.Forwarder.Use(_rig.Options with { AllowFrom = [IPNetwork.Parse("203.0.113.0/24")], MaxInFlight = 3,
            MaxInFlightPerClient = 2 });
        Assert.True(_rig.Forwarder.MayRecurse(ref client));
        ScriptedWaiter waiter = new(_rig.Clock);
        ForwardResult[] results = [
            .. "abcde".Select((letter, i) => _rig.TryAsk($"{letter}.example", waiter, client: $"203.0.113.{i / 3}:1"))];
        Assert.Equal(
            [ForwardResult.Joined, ForwardResult.Joined, ForwardResult.ClientLimit, ForwardResult.Joined,
                ForwardResult.TableFull],
            results);
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_zone_that_is_there_twice_changes_nothing()
    {
        Assert.Throws<ArgumentException>(() => Use(Root(1), Root(2)));
        Assert.Throws<ArgumentException>(() => Use(Root()));
        _rig.Resolve("www.example");
        Assert.Equal([1, 0, 0], Asked);
    }

    [Fact]
    public void The_times_of_the_cache_change()
    {
        _rig.Resolve("www.example");
        _rig.Forwarder.Use(_rig.Options with {
            Cache = new CacheOptions { ServeStale = TimeSpan.Zero, MaxTtl = TimeSpan.FromSeconds(7) } });
        _rig.Resolve("new.example");
        _rig.Clock.Advance(TimeSpan.FromSeconds(8));
        Assert.Equal(CacheState.Miss, _rig.Known("new.example", out _));
        foreach (ScriptedUpstream upstream in _rig.Upstreams) upstream.IsDead = true;
        Assert.Equal(Rcode.ServFail, _rig.Resolve("new.example").Answer.Rcode);
    }
}
