using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>What a back end promises to those who change zones, tried with one in memory.</summary>
public sealed class ZoneWriterTests
{
    private static readonly ZoneAuthor Author = new(ZoneWriteOrigin.Api, "192.0.2.1", "ci");
    private static readonly DomainName A = DomainName.Parse("a.test"), B = DomainName.Parse("b.test");

    private readonly MemoryBackEnd _backEnd = new();
    private readonly ZoneRegistry _registry = new(new PublishedZones());
    private readonly List<ZoneVersionChange> _published = [];
    private readonly ZoneWriters _writers;

    public ZoneWriterTests()
    {
        _backEnd.StartAsync(_registry, null!, default);
        _writers = new ZoneWriters(_registry) { ForNewZones = _backEnd };
        _registry.VersionPublished += (_, change) => _published.Add(change);
    }

    [Fact]
    public async Task A_change_is_stored_published_with_its_delta_and_answered_with_the_new_serial()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        ZoneWriteResult result = await WriteAsync(ZoneWrite.Change(Adding(A, 7, "www"), Author));
        Assert.Equal((8u, true, 0), (result.Serial, result.IsChanged, result.Faults.Count));
        Assert.Equal(8u, _registry.Find(A)!.Zone!.Serial);
        Assert.Same(_backEnd.Store[A], _registry.Find(A)!.Zone);
        Assert.Equal((7u, 8u), (_published[^1].Delta!.SerialFrom, _published[^1].Delta!.SerialTo));
    }

    [Fact]
    public async Task A_delta_of_an_older_version_continues_with_the_present_serial()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        foreach (string name in (string[])["one", "two", "three"])
            Assert.True((await WriteAsync(ZoneWrite.Change(Adding(A, 7, name), Author))).IsChanged);
        Assert.Equal(10u, _registry.Find(A)!.Zone!.Serial);
        Assert.True(Has(A, "one.a.test") && Has(A, "two.a.test") && Has(A, "three.a.test"));
    }

    [Fact]
    public async Task A_changed_SOA_keeps_its_fields_and_gets_a_greater_serial()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        ZoneDelta delta = ZoneDelta.Between(Load(A, 5), Load(A, 6, ttl: 60));
        Assert.Equal(8u, (await WriteAsync(ZoneWrite.Change(delta, Author))).Serial);
        _registry.Find(A)!.Zone!.ApexNode.TryFind(RRType.SOA, out RRset soa);
        Assert.Equal(60u, soa.Ttl);
    }

    [Fact]
    public async Task Another_serial_than_the_expected_one_is_a_conflict_with_the_present_serial()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        ZoneWriteResult result =
            await WriteAsync(ZoneWrite.Change(Adding(A, 6, "www"), Author, expectedSerial: 6));
        Assert.Equal(new ZoneWriteFault(ZoneWriteFaultKind.OtherSerial) { Serial = 7 }, Assert.Single(result.Faults));
        result = await WriteAsync(ZoneWrite.Remove(A, Author, expectedSerial: 6));
        Assert.Equal(ZoneWriteFaultKind.OtherSerial, Assert.Single(result.Faults).Kind);
        Assert.Equal(7u, _registry.Find(A)!.Zone!.Serial);
    }

    [Fact]
    public async Task Data_that_does_not_fit_is_refused_with_its_record()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        ZoneDeltaBuilder delta = new(A, 7);
        delta.Add(DomainName.Parse("x.other.test").Octets, RRType.A, 300, [192, 0, 2, 9]);
        ZoneWriteFault fault = Assert.Single((await WriteAsync(ZoneWrite.Change(delta.Build(), Author))).Faults);
        Assert.Equal((ZoneWriteFaultKind.Invalid, ZoneEditErrorKind.OutOfZone), (fault.Kind, fault.Edit!.Kind));
        Assert.Equal(7u, _registry.Find(A)!.Zone!.Serial);
    }

    [Fact]
    public async Task A_delta_without_records_changes_nothing()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        ZoneWriteResult result = await WriteAsync(ZoneWrite.Change(new ZoneDeltaBuilder(A, 3).Build(), Author));
        Assert.Equal((7u, false, 0), (result.Serial, result.IsChanged, result.Faults.Count));
    }

    [Fact]
    public async Task Zones_are_added_changed_and_removed_together_or_not_at_all()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        IReadOnlyList<ZoneWriteResult> results = await _writers.WriteAsync(
        [
            ZoneWrite.Add(Load(B, 1), Author), ZoneWrite.Change(Adding(A, 7, "www"), Author),
            ZoneWrite.Change(Adding(B, 1, "www"), Author), ZoneWrite.Change(Adding(A, 7, "www"), Author),
        ], default);
        Assert.Equal([null, null, null, ZoneWriteFaultKind.Invalid],
            results.Select(result => result.Faults is [var fault] ? (ZoneWriteFaultKind?)fault.Kind : null));
        Assert.Equal((7u, null), (_registry.Find(A)!.Zone!.Serial, _registry.Find(B)));

        results = await _writers.WriteAsync(
        [
            ZoneWrite.Add(Load(B, 1), Author), ZoneWrite.Change(Adding(B, 1, "www"), Author),
            ZoneWrite.Remove(A, Author),
        ], default);
        Assert.Equal([1u, 2u, null], results.Select(result => result.Serial));
        Assert.Equal((null, 2u), (_registry.Find(A), _registry.Find(B)!.Zone!.Serial));
    }

    [Fact]
    public async Task A_zone_is_added_once_and_removed_if_it_is_there()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        Assert.Equal(ZoneWriteFaultKind.ZoneExists, await FaultOfAsync(ZoneWrite.Add(Load(A, 9), Author)));
        Assert.Equal(ZoneWriteFaultKind.NoZone, await FaultOfAsync(ZoneWrite.Remove(B, Author)));
        Assert.Equal(ZoneWriteFaultKind.NoZone, await FaultOfAsync(ZoneWrite.Change(Adding(B, 1, "www"), Author)));
    }

    [Fact]
    public async Task Nothing_is_published_that_is_not_stored()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        _backEnd.StoreFault = "the disk is full";
        ZoneWriteResult result = await WriteAsync(ZoneWrite.Change(Adding(A, 7, "www"), Author));
        Assert.Equal("it cannot be saved: the disk is full", ZoneWriteFaultText.Of(Assert.Single(result.Faults)));
        Assert.Equal(7u, _registry.Find(A)!.Zone!.Serial);
        _backEnd.StoreFault = null;
        Assert.Equal(8u, (await WriteAsync(ZoneWrite.Change(Adding(A, 7, "www"), Author))).Serial);
    }

    [Fact]
    public async Task What_was_acknowledged_is_served_after_a_restart()
    {
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        await WriteAsync(ZoneWrite.Change(Adding(A, 7, "www"), Author));
        ZoneRegistry registry = new(new PublishedZones());
        ZoneLoadSummary summary =
            await new MemoryBackEnd { Store = _backEnd.Store }.StartAsync(registry, null!, default);
        ZoneSlot slot = registry.Find(A)!;
        Assert.Equal(8u, slot.Zone!.Serial);
        Assert.NotNull(slot.LoadedAt);
        Assert.Equal((1, slot.Zone.RecordCount), (summary.Loaded, summary.Records));
    }

    [Fact]
    public async Task Zones_of_a_source_without_a_writer_are_not_changed()
    {
        ZoneSlot slot = new(B);
        _registry.Change(new ReadOnlySource(), [], [slot]);
        slot.Publish(Load(B, 1));
        Assert.Equal(ZoneWriteFaultKind.NotWritable, await FaultOfAsync(ZoneWrite.Change(Adding(B, 1, "www"), Author)));
        await WriteAsync(ZoneWrite.Add(Load(A, 7), Author));
        IReadOnlyList<ZoneWriteResult> results =
            await _writers.WriteAsync([ZoneWrite.Remove(A, Author), ZoneWrite.Remove(B, Author)], default);
        Assert.Equal(ZoneWriteFaultKind.NotTogether, Assert.Single(results[0].Faults).Kind);
        Assert.NotNull(_registry.Find(A));
    }

    [Fact]
    public void Each_kind_of_fault_has_its_text()
    {
        ZoneEditError edit = new(ZoneEditErrorKind.NotThere, A, RRType.A, "no such record");
        IEnumerable<string> texts = Enum.GetValues<ZoneWriteFaultKind>().Select(kind => ZoneWriteFaultText.Of(
            new(kind) { Owner = A, Type = RRType.TXT, Most = 5, Serial = 6, Edit = edit, Detail = "why" }));
        Assert.Equal(texts.Count(), texts.Distinct().Count());
    }

    private async Task<ZoneWriteResult> WriteAsync(ZoneWrite write) =>
        Assert.Single(await _writers.WriteAsync([write], default));

    private async Task<ZoneWriteFaultKind> FaultOfAsync(ZoneWrite write) =>
        Assert.Single((await WriteAsync(write)).Faults).Kind;

    private static Zone Load(DomainName zone, uint serial, uint ttl = 300) => ZoneText.Load(
        zone.ToString(), $"@ {ttl} SOA ns hostmaster {serial} 3600 600 86400 60\n@ 300 NS ns\nns 300 A 192.0.2.1\n");

    private static ZoneDelta Adding(DomainName zone, uint serial, string name)
    {
        ZoneDeltaBuilder delta = new(zone, serial);
        delta.Add(DomainName.Parse($"{name}.{zone}").Octets, RRType.A, 300, [192, 0, 2, 9]);
        return delta.Build();
    }

    private bool Has(DomainName zone, string name)
    {
        LookupName lookup = default;
        lookup.Set(DomainName.Parse(name).Octets);
        return _registry.Find(zone)!.Zone!.TryFind(in lookup, 0, out ZoneNode node) && node.HasData;
    }

    private sealed class ReadOnlySource : IZoneSource
    {
        public Task<ZoneLoadSummary> StartAsync(
            ZoneRegistry registry, IZoneLoadObserver observer, CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

        public Task<ZoneLoadSummary> ReloadAsync(
            IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

        public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

        public ZoneOrigin OriginOf(ZoneSlot slot) => default;
    }
}
