using Xunit;

namespace Dns.Forwarding.Tests;

public class PolicyTests
{
    [Fact]
    public void In_order_the_first_is_asked_alone_while_it_answers()
    {
        ForwarderRig rig = new(upstreams: 3, policy: UpstreamPolicy.Ordered);
        for (int i = 0; i < 30; i++) rig.Resolve($"n{i}.example");
        Assert.Equal([30, 0, 0], rig.Upstreams.Select(upstream => upstream.Asked));
    }

    [Fact]
    public void In_turn_all_are_asked_alike()
    {
        ForwarderRig rig = new(upstreams: 3, policy: UpstreamPolicy.RoundRobin);
        for (int i = 0; i < 30; i++) rig.Resolve($"n{i}.example");
        Assert.Equal([10, 10, 10], rig.Upstreams.Select(upstream => upstream.Asked));
    }

    [Fact]
    public void The_fastest_is_asked_mostly_and_a_change_is_noticed()
    {
        ForwarderRig rig = new(upstreams: 3, policy: UpstreamPolicy.Fastest);
        int[] delays = [60, 20, 90];
        for (int i = 0; i < 3; i++)
        {
            int upstream = i;
            rig.Upstreams[i].Script = query => query.Answer(delays[upstream]);
        }
        for (int i = 0; i < 320; i++) rig.Resolve($"n{i}.example");
        Assert.InRange(rig.Upstreams[1].Asked, 290, 310);
        Assert.All(rig.Upstreams, upstream => Assert.InRange(upstream.Asked, 5, 310));
        delays[2] = 5;
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.Queries.Clear();
        for (int i = 0; i < 1600; i++) rig.Resolve($"m{i}.example");
        Assert.InRange(rig.Upstreams[2].Asked, 800, 1600);
    }

    [Fact]
    public void Each_zone_has_its_own_upstreams_and_the_longest_wins()
    {
        ForwarderRig rig = new(upstreams: 1);
        ScriptedNetwork network = new(rig.Clock);
        ScriptedUpstream root = network.Add("192.0.2.1:53"), corp = network.Add("192.0.2.2:53");
        Forwarder forwarder = new(
            new() { Zones = [new(DomainName.Root, [root.Address]),
                new(DomainName.Parse("corp.example"), [corp.Address])] },
            rig.Clock, network);
        foreach (string text in new[] { "example", "a.corp.example", "corp.example", "xcorp.example" })
        {
            LookupName name = default;
            name.Set(DomainName.Parse(text).Octets);
            ClientAddress client = default;
            forwarder.Forward(new Question(in name, RRType.A, RRClass.IN, 0), ref client,
                new ScriptedWaiter(rig.Clock));
            forwarder.Forward(new Question(in name, RRType.DS, RRClass.IN, 0), ref client,
                new ScriptedWaiter(rig.Clock));
        }
        Assert.Equal(["example. A", "example. DS", "corp.example. DS", "xcorp.example. A", "xcorp.example. DS"],
            root.Queries.Select(Text));
        Assert.Equal(["a.corp.example. A", "a.corp.example. DS", "corp.example. A"], corp.Queries.Select(Text));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(33)]
    public void A_zone_has_one_to_32_upstreams(int count)
    {
        ForwarderOptions options = new()
        {
            Zones = [new(DomainName.Root,
                [.. Enumerable.Range(1, count).Select(i => System.Net.IPEndPoint.Parse($"192.0.2.{i}:53"))])],
        };
        Assert.Throws<ArgumentException>(
            () => new Forwarder(options, new Dns.Testing.VirtualClock(), new ScriptedNetwork(new())));
    }

    private static string Text(ScriptedQuery query) => $"{query.Text} {query.Type}";
}
