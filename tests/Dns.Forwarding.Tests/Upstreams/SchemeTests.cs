using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Upstreams of another scheme than the plain one.</summary>
public class SchemeTests
{
    private static readonly PeerScheme Sealed = new("sealed", 853, HasDatagrams: false);

    [Fact]
    public void An_upstream_is_queried_through_the_network_of_its_scheme_over_streams_alone_if_it_has_no_datagrams()
    {
        ForwarderRig rig = new(scheme: Sealed);
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), rig.Resolve("www.example").Result);
        rig.Upstream.RefusesStreams = true;
        rig.Clock.Advance(TimeSpan.FromSeconds(20));
        Assert.StartsWith("SERVFAIL", rig.Resolve("ftp.example").Result);
        Assert.Equal(0, rig.Network.PortsWanted);
        Assert.Equal("sealed://192.0.2.1:53", rig.Forwarder.Upstreams[0].Address.ToString());
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void An_upstream_without_datagrams_is_probed_over_streams()
    {
        ForwarderRig rig = new(scheme: Sealed);
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 5; i++) rig.Ask($"n{i}.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(UpstreamState.Down, rig.Forwarder.Upstreams[0].State);
        rig.Upstream.IsDead = false;
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        Assert.Contains(rig.Upstream.Queries, query => query.IsProbe);
        Assert.All(rig.Upstream.Queries, query => Assert.True(query.IsStream));
        rig.AssertNothingIsLeft();
    }
}
