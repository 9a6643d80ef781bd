using System.Net;
using Dns.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Server.Tests.Features;

/// <summary>The secondary zones of settings and catalogs.</summary>
public sealed class SecondaryFeatureTests
{
    private static readonly DomainName Name = DomainName.Parse("a.test");

    [Fact]
    public async Task A_change_of_members_that_fails_is_an_exception_and_the_next_call_repeats_it()
    {
        VirtualClock clock = new();
        ZoneRegistry registry = new(new PublishedZones());
        using SecondaryFeature secondaries = new(
            new ServerOptions(), null, new ZoneHistory(), clock, new SecondaryLog(NullLogger<SecondaryLog>.Instance),
            NullLogger<SecondaryFeature>.Instance);
        await secondaries.Zones.StartAsync(registry, null!, TestContext.Current.CancellationToken);
        ZoneSlot obstacle = new(Name);
        registry.Change(secondaries.Zones, [], [obstacle]);
        SecondaryZoneOptions[] members = [new(Name, [new PeerAddress(IPEndPoint.Parse("127.0.0.1:1"))])];
        Assert.Throws<ArgumentException>(() => secondaries.UseMembers(members));
        registry.Change(secondaries.Zones, [obstacle], []);
        secondaries.UseMembers(members);
        Assert.Same(secondaries.Zones.Find(Name), registry.Find(Name));
        await secondaries.Zones.StopAsync(TestContext.Current.CancellationToken);
    }
}
