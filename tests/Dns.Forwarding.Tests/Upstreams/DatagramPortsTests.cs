using Xunit;

namespace Dns.Forwarding.Tests;

public class DatagramPortsTests
{
    [Fact]
    public void A_port_without_a_query_for_a_minute_is_closed()
    {
        ForwarderRig rig = new();
        for (int i = 0; i < 10; i++) rig.Resolve($"n{i}.example");
        Assert.Equal(10, rig.Network.OpenPorts);
        rig.Clock.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(10, rig.Network.OpenPorts);
        rig.Clock.Advance(TimeSpan.FromSeconds(17));
        Assert.Equal(0, rig.Network.OpenPorts);
        // It begins again with the next.
        rig.Resolve("www.example");
        Assert.Equal(1, rig.Network.OpenPorts);
        rig.Clock.Advance(TimeSpan.FromSeconds(76));
        Assert.Equal(0, rig.Network.OpenPorts);
    }

    [Fact]
    public void A_port_in_use_stays()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 1 });
        for (int i = 0; i < 20; i++)
        {
            rig.Resolve($"n{i}.example");
            rig.Clock.Advance(TimeSpan.FromSeconds(30));
        }
        Assert.Single(rig.Upstream.Queries.Select(query => query.Port).Distinct());
    }

    [Fact]
    public void Ports_stay_while_the_system_refuses_more()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 64 });
        rig.Network.MaxPorts = 8;
        for (int i = 0; i < 20; i++) rig.Resolve($"a{i}.example");
        Assert.Equal(8, rig.Network.OpenPorts);
        for (int i = 0; i < 100; i++)
        {
            rig.Clock.Advance(TimeSpan.FromSeconds(5));
            rig.Network.MaxPorts = 0;
            rig.Resolve($"n{i}.example");
        }
        Assert.Equal(8, rig.Network.OpenPorts);
        // Nothing is refused any more, since no socket is requested.
        rig.Clock.Advance(TimeSpan.FromSeconds(150));
        Assert.Equal(0, rig.Network.OpenPorts);
    }

    [Fact]
    public void No_timer_runs_while_no_port_is_open()
    {
        ForwarderRig rig = new();
        rig.Resolve("www.example");
        rig.Clock.Advance(TimeSpan.FromMinutes(3));
        Assert.Equal(0, rig.Network.OpenPorts);
        Assert.Equal(0, rig.Clock.Planned);
    }
}
