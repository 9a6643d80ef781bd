using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

public class ServerBackoffTests
{
    [Fact]
    public void A_dead_upstream_is_asked_last_and_probed_until_it_answers()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 3; i++) rig.Resolve($"n{i}.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.Queries.Clear();
        TimeSpan start = rig.Clock.Elapsed - rig.Forwarder.Upstreams[0].DownFor;
        for (int i = 0; i < 200; i++)
        {
            Assert.InRange(rig.Resolve($"m{i}.example").WaitedMs, 10, 12);
            rig.Clock.Advance(100);
        }
        Assert.Equal(0, rig.Upstream.Asked);
        double[] probes = [.. rig.Upstream.Queries.Select(query => (query.At - start).TotalSeconds)];
        Assert.All(new double[] { 1, 3, 7, 11, 15, 19 }.Zip(probes),
            pair => Assert.InRange(pair.Second, pair.First - 0.1, pair.First + 0.2));
        Assert.InRange(rig.Forwarder.Upstreams[0].DownFor.TotalSeconds, 20, 25);
    }

    [Fact]
    public void An_upstream_that_returns_is_used_within_five_seconds()
    {
        ForwarderRig rig = new();
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 5; i++) rig.Ask($"n{i}.example");
        rig.Clock.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.IsDead = false;
        rig.Clock.Advance(4100);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        Assert.InRange(rig.Resolve("www.example").WaitedMs, 10, 12);
        rig.AssertNothingIsLeft();
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
    }

    [Fact]
    public void While_all_upstreams_are_down_nobody_waits_and_a_few_questions_are_asked()
    {
        ForwarderRig rig = new(upstreams: 2);
        GoDown(rig);
        int sent = rig.Upstreams.Sum(upstream => upstream.Asked);
        Assert.Equal(ForwardResult.Unreachable, rig.TryAsk("new.example", new ScriptedWaiter(rig.Clock)));
        Assert.Equal(1, rig.Upstreams.Sum(upstream => upstream.Asked) - sent);
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.IsDead = false;
        // Its reply is the first that is heard.
        Assert.Equal(ForwardResult.Unreachable, rig.TryAsk("www.example", new ScriptedWaiter(rig.Clock)));
        rig.Clock.Advance(11);
        Assert.Equal(CacheState.Fresh, rig.Known("www.example", out _));
        Assert.Contains(rig.Forwarder.Upstreams, status => status.State == UpstreamState.Up);
        Assert.InRange(rig.Resolve("other.example").WaitedMs, 10, 12);
    }

    [Fact]
    public void While_all_upstreams_are_down_clients_wait_as_long_as_is_set()
    {
        ForwarderRig rig = new(new() { AnswerWithinWhileDown = TimeSpan.FromMilliseconds(300) }, upstreams: 2);
        GoDown(rig);
        ScriptedWaiter waiter = rig.Resolve("new.example");
        Assert.Equal("SERVFAIL 22", waiter.Result);
        Assert.InRange(waiter.WaitedMs, 280, 300);
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.IsDead = false;
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), rig.Resolve("www.example").Result);
    }

    private static void GoDown(ForwarderRig rig)
    {
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.IsDead = true;
        for (int i = 0; i < 4; i++) rig.Ask($"n{i}.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(6));
        Assert.All(rig.Forwarder.Upstreams, status => Assert.Equal(UpstreamState.Down, status.State));
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
        rig.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        rig.Clock.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.Script = query =>
        {
            for (int i = 1; i < 5; i++) query.Reply(query.Forge(id: query.Id ^ i), i);
            query.Answer();
        };
        rig.Clock.Advance(4100);
        for (int i = 0; i < 50; i++) rig.Resolve($"m{i}.example");
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
    }

    [Fact]
    public void Silence_of_two_seconds_and_probes_without_a_reply_bring_an_upstream_down_and_nothing_less()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 3; i++) rig.Ask($"n{i}.example");
        rig.Clock.Advance(1999);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        double[] probes =
            [.. rig.Upstream.Queries.Where(query => query.IsProbe).Select(query => query.At.TotalMilliseconds)];
        Assert.All(new double[] { 410, 910 }.Zip(probes),
            pair => Assert.InRange(pair.Second, pair.First, pair.First + 30));
        Assert.Equal(2, probes.Length);
        rig.Clock.Advance(31);
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
    }

    [Fact]
    public void That_an_upstream_is_down_and_back_is_told_once_each()
    {
        ForwarderRig rig = new(upstreams: 2);
        List<(string Address, UpstreamState State, double Seconds)> told = [];
        rig.Forwarder.UpstreamChanged = (upstream, wasDownFor) =>
            told.Add((upstream.Address.ToString(), upstream.State, Math.Round(wasDownFor.TotalSeconds)));
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 3; i++) rig.Ask($"n{i}.example");
        rig.Clock.Advance(2030);
        Assert.Equal([("192.0.2.1:53", UpstreamState.Down, 0)], told);
        rig.Clock.Advance(6000);
        rig.Upstream.IsDead = false;
        rig.Clock.Advance(4000);
        Assert.Equal(("192.0.2.1:53", UpstreamState.Up, 7), Assert.Single(told[1..]));
        rig.AssertNothingIsLeft();
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
    }

    [Fact]
    public void A_probe_that_is_lost_is_sent_again()
    {
        ForwarderRig rig = new(upstreams: 2);
        int probes = 0;
        rig.Upstream.Script = query =>
        {
            if (query.IsProbe && ++probes == 2) query.Answer();
        };
        for (int i = 0; i < 3; i++) rig.Ask($"n{i}.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(2, probes);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        rig.AssertNothingIsLeft();
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
    }

    [Fact]
    public void Tries_that_were_sent_before_the_last_reply_say_nothing_about_an_upstream()
    {
        ForwarderRig rig = new(upstreams: 2);
        // The other one answers after the first has timed out, so each question is sent to the first one once.
        rig.Upstream.Script = query =>
        {
            if (query.Text.StartsWith("late", StringComparison.Ordinal)) query.Answer(390);
        };
        for (int i = 0; i < 5; i++) rig.Ask($"n{i}.example");
        rig.Clock.Advance(5);
        rig.Ask("late.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal((5, 0),
            ((int)rig.Forwarder.Upstreams[0].TimedOut, rig.Upstream.Queries.Count(query => query.IsProbe)));
    }

    [Theory]
    [InlineData(2, UpstreamState.Up)]
    [InlineData(3, UpstreamState.Down)]
    public void Where_no_probe_can_be_sent_silence_counts_only_with_several_names_waiting(int names,
        UpstreamState expected)
    {
        VirtualClock clock = new();
        MonotonicClock time = new(clock);
        using TimingWheel wheel = new(time);
        ScriptedNetwork network = new(clock) { MaxPorts = 0 };
        using Upstream upstream = new(
            IPEndPoint.Parse("192.0.2.1:53"), 4, new(time, wheel, new SeededOctets(1), network, (_, _) => { }))
                { Zones = [DomainName.Root] };
        for (int i = 0; i < 6; i++) upstream.CountTimeout(0, (ulong)(i % names), time.Now);
        clock.Advance(1990);
        Assert.Equal(UpstreamState.Up, upstream.State);
        clock.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal(expected, upstream.State);
    }

    [Fact]
    public void Names_that_nobody_answers_cost_an_upstream_one_probe_a_second()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.IsProbe) query.Answer();
        };
        for (int i = 0; i < 1000; i++)
        {
            rig.TryAsk($"n{i}.example", new ScriptedWaiter(rig.Clock));
            rig.Clock.Advance(10);
        }
        Assert.InRange(rig.Upstream.Queries.Count(query => query.IsProbe), 8, 11);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
    }

    [Fact]
    public void Suspicions_that_a_reply_ends_do_not_delay_that_a_dead_upstream_is_found()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.IsProbe || query.Text.StartsWith("fast", StringComparison.Ordinal)) query.Answer();
        };
        for (int i = 0; i < 60; i++)
        {
            for (int j = 0; j < 3; j++) rig.TryAsk($"slow{i}x{j}.example", new ScriptedWaiter(rig.Clock));
            rig.Clock.Advance(430);
            rig.TryAsk($"fast{i}.example", new ScriptedWaiter(rig.Clock));
            rig.Clock.Advance(20);
        }
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 5; i++) rig.TryAsk($"n{i}.example", new ScriptedWaiter(rig.Clock));
        rig.Clock.Advance(3100);
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        Assert.InRange(rig.Upstream.Queries.Count(query => query.IsProbe), 3, 31);
    }

    [Fact]
    public void Tries_sent_before_an_upstream_went_down_take_no_room_of_those_after()
    {
        ForwarderRig rig = new();
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 1000; i++) rig.Ask($"n{i}.example", client: $"198.51.100.{i % 100}:53");
        rig.Clock.Advance(2100);
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        Assert.Equal(1000, rig.Forwarder.InFlight);
        int sent = rig.Upstream.Asked;
        Flood("m");
        Assert.Equal(Upstream.MaxWhileDown, rig.Upstream.Asked - sent);
        rig.AssertNothingIsLeft();
        sent = rig.Upstream.Asked;
        Flood("k");
        Assert.Equal(Upstream.MaxWhileDown, rig.Upstream.Asked - sent);

        void Flood(string prefix)
        {
            for (int i = 0; i < 2 * Upstream.MaxWhileDown; i++)
                rig.TryAsk($"{prefix}{i}.example", new ScriptedWaiter(rig.Clock));
        }
    }
}
