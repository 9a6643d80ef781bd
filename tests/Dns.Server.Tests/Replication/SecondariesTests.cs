using System.Net;
using Dns.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Server.Tests.Replication;

/// <summary>The secondary zones of settings and catalogs.</summary>
public sealed class SecondariesTests
{
    private static readonly DomainName Name = DomainName.Parse("a.test");

    [Fact]
    public async Task A_change_of_members_that_fails_is_an_exception_and_the_next_call_repeats_it()
    {
        VirtualClock clock = new();
        ZoneRegistry registry = new(new PublishedZones());
        using Secondaries secondaries = new(
            new ServerOptions(), null, new ZoneHistory(), clock, new SecondaryLog(NullLogger<SecondaryLog>.Instance),
            NullLogger<Secondaries>.Instance);
        await secondaries.Source.StartAsync(registry, null!, TestContext.Current.CancellationToken);
        ZoneSlot obstacle = new(Name);
        registry.Change(secondaries.Source, [], [obstacle]);
        SecondaryZoneOptions[] members = [new(Name, [new PeerAddress(IPEndPoint.Parse("127.0.0.1:1"))])];
        Assert.Throws<ArgumentException>(() => secondaries.UseMembers(members));
        registry.Change(secondaries.Source, [obstacle], []);
        secondaries.UseMembers(members);
        Assert.Same(secondaries.Source.Find(Name), registry.Find(Name));
        await secondaries.Source.StopAsync(TestContext.Current.CancellationToken);
    }
}
