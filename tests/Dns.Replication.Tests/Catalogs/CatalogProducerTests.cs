using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Catalogs that are made of the zones served.</summary>
[Trait("RFC", "9432")]
public sealed class CatalogProducerTests : CatalogTestBase
{
    private readonly VirtualClock _clock = new();
    private readonly Copies _copies = new();
    private readonly Source _zones = new();
    private ZoneRegistry _registry = new(new PublishedZones());

    /// <summary>Zones with a policy.</summary>
    private sealed class Source : IZoneSource
    {
        public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
            CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

        public Task<ZoneLoadSummary> ReloadAsync(
            IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

        public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

        public ZoneOrigin OriginOf(ZoneSlot slot) => default;
    }

    private ZoneSlot Serve(string zone, string? group = null, string catalog = "catalog.test")
    {
        ZoneSlot slot = new(Name(zone)) { Policy = new ZonePolicy { MemberOf = Name(catalog), Group = group } };
        _registry.Change(_zones, [], [slot]);
        return slot;
    }

    private CatalogProducer Start()
    {
        CatalogProducer producer = new(_copies, this, _clock, work => work());
        producer.Use([new CatalogProducerOptions(Name("catalog.test"))]);
        producer.StartAsync(_registry, null!, CancellationToken.None).GetAwaiter().GetResult();
        return producer;
    }

    private Zone Made => _registry.Find(Name("catalog.test"))!.Zone!;

    private CatalogContent Content => CatalogContent.Read(Made, out _)!;

    private static string Zones(CatalogContent content) =>
        string.Join(' ', content.Members.Select(member => $"{member.Zone}{string.Concat(member.Groups)}")
            .Order(StringComparer.Ordinal));

    [Fact]
    public void A_catalog_lists_the_zones_that_name_it()
    {
        Serve("a.test", group: "g1");
        Serve("b.test");
        Serve("c.test", catalog: "other.test");
        Start();
        Assert.Equal("a.test.g1 b.test.", Zones(Content));
    }

    [Fact]
    public void A_catalog_without_members_is_a_catalog()
    {
        Start();
        Assert.Empty(Content.Members);
        Assert.Equal(["catalog.test. made: 0"], Told);
    }

    [Fact]
    public void The_serial_moves_when_the_content_does_and_ids_stay()
    {
        ZoneSlot a = Serve("a.test");
        CatalogProducer producer = Start();
        (uint serial, string id) = (Made.Serial, Content.Members[0].Id);
        producer.Refresh();
        Assert.Equal(serial, Made.Serial);
        Serve("b.test");
        Assert.True(SerialNumber.IsGreater(Made.Serial, serial));
        Assert.Equal(id, Content.Members.Single(member => member.Zone.Equals(a.Name)).Id);
        a.Policy = a.Policy! with { Group = "g2" };
        producer.Refresh();
        Assert.Equal("a.test.g2 b.test.", Zones(Content));
        _registry.Change(_zones, [a], []);
        Assert.Equal("b.test.", Zones(Content));
    }

    [Fact]
    public void A_zone_that_comes_again_has_another_id()
    {
        ZoneSlot a = Serve("a.test");
        Start();
        string id = Content.Members[0].Id;
        _registry.Change(_zones, [a], []);
        Serve("a.test");
        Assert.NotEqual(id, Content.Members[0].Id);
    }

    [Fact]
    public void Serial_and_ids_survive_a_restart()
    {
        Serve("a.test");
        Serve("b.test");
        Start();
        ZoneSlot gone = Serve("c.test");
        _registry.Change(_zones, [gone], []);
        (uint serial, string members) = (Made.Serial, Text(Content.Members));
        _registry = new ZoneRegistry(new PublishedZones());
        Serve("a.test");
        Serve("b.test");
        Start();
        Assert.Equal((serial, members), (Made.Serial, Text(Content.Members)));
        Assert.DoesNotContain(Told, line => line.Contains("fault"));
    }

    [Fact]
    public void A_catalog_that_loses_all_its_members_is_reported()
    {
        Serve("a.test");
        Serve("b.test");
        Start();
        _registry = new ZoneRegistry(new PublishedZones());
        CatalogProducer producer = Start();
        producer.Refresh();
        Assert.Empty(Content.Members);
        Assert.Equal(["catalog.test. emptied: 2"], Told.Where(line => line.Contains("emptied")));
    }

    [Fact]
    public void A_version_that_cannot_be_kept_is_told_and_served()
    {
        _copies.IsFull = true;
        Serve("a.test");
        Start();
        Assert.Contains("catalog.test. not kept: no room", Told);
        Assert.Equal("a.test.", Zones(Content));
    }

    [Fact]
    public void A_change_is_published_with_its_difference()
    {
        Serve("a.test");
        Start();
        List<ZoneVersionChange> changes = [];
        _registry.VersionPublished += (_, change) => changes.Add(change);
        Serve("b.test");
        ZoneDelta delta = Assert.Single(changes).Delta!;
        Assert.Equal(Made.Serial, delta.SerialTo);
        Assert.Equal(2, delta.Added.Count);
    }

    [Fact]
    public void A_catalog_that_is_no_longer_made_is_not_served()
    {
        CatalogProducer producer = Start();
        producer.Use([]);
        Assert.Null(_registry.Find(Name("catalog.test")));
    }
}
