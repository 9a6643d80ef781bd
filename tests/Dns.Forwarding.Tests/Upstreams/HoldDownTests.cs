using Dns.Protocol;
using Xunit;

namespace Dns.Forwarding.Tests;

public class HoldDownTests
{
    [Fact]
    public void A_dead_upstream_is_asked_last_and_probed_until_it_answers()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 3; i++) rig.Resolve($"n{i}.example");
        Assert.Equal(UpstreamState.HeldDown, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.Queries.Clear();
        TimeSpan start = rig.Clock.Elapsed;
        for (int i = 0; i < 200; i++)
        {
            Assert.InRange(rig.Resolve($"m{i}.example").WaitedMs, 10, 12);
            rig.Clock.Advance(100);
        }
        Assert.Equal(0, rig.Upstream.Asked);
        double[] probes = [.. rig.Upstream.Queries.Select(query => (query.At - start).TotalSeconds)];
        Assert.All(new double[] { 1, 3, 7, 11, 15, 19 }.Zip(probes), pair => Assert.InRange(pair.Second, pair.First - 0.1, pair.First + 0.2));
        Assert.InRange(rig.Forwarder.Upstreams[0].DownFor.TotalSeconds, 20, 25);
    }

    [Fact]
    public void An_upstream_that_returns_is_used_within_five_seconds()
    {
        ForwarderRig rig = new();
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 5; i++) rig.Resolve($"n{i}.example");
        rig.Clock.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal(UpstreamState.HeldDown, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.IsDead = false;
        rig.Clock.Advance(4100);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        Assert.InRange(rig.Resolve("www.example").WaitedMs, 10, 12);
        rig.AssertNothingIsLeft();
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
    }

    [Fact]
    public void With_all_upstreams_held_down_questions_are_still_asked()
    {
        ForwarderRig rig = new(upstreams: 2);
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.IsDead = true;
        for (int i = 0; i < 4; i++) rig.Resolve($"n{i}.example");
        Assert.All(rig.Forwarder.Upstreams, status => Assert.Equal(UpstreamState.HeldDown, status.State));
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.IsDead = false;
        Assert.InRange(rig.Resolve("www.example").WaitedMs, 10, 12);
        Assert.Contains(rig.Forwarder.Upstreams, status => status.State == UpstreamState.Up);
    }

    [Fact]
    public void A_slow_name_does_not_bring_an_upstream_down_that_answers_others()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (!query.Text.StartsWith("slow", StringComparison.Ordinal)) query.Answer();
        };
        for (int i = 0; i < 20; i++)
        {
            rig.Ask($"slow{i}.example");
            for (int j = 0; j < 20; j++)
            {
                rig.Resolve($"n{i}x{j}.example");
                rig.Clock.Advance(40);
            }
            Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        }
        Assert.InRange(rig.Forwarder.Upstreams[0].TimedOut, 50, 100);
    }

    [Fact]
    public void Forged_replies_neither_bring_an_upstream_down_nor_keep_it_up()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.Script = query => query.Reply(query.Forge(id: query.Id ^ 1));
        for (int i = 0; i < 3; i++) rig.Resolve($"n{i}.example");
        Assert.Equal(UpstreamState.HeldDown, rig.Forwarder.Upstreams[0].State);
        rig.Clock.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal(UpstreamState.HeldDown, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.Script = query =>
        {
            for (int i = 1; i < 5; i++) query.Reply(query.Forge(id: query.Id ^ i), i);
            query.Answer();
        };
        rig.Clock.Advance(4100);
        for (int i = 0; i < 50; i++) rig.Resolve($"m{i}.example");
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
    }
}
