using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>The zone <c>z.test</c> in a registry, published version after version from its records as text.</summary>
public sealed class ChangingZone : IZoneSource
{
    public ChangingZone()
    {
        Slot = new ZoneSlot(DomainName.Parse("z.test"));
        Registry.Change(this, [], [Slot]);
    }

    public ZoneRegistry Registry { get; } = new(new PublishedZones());

    public ZoneSlot Slot { get; }

    /// <summary>Publishes a version, with the delta from the one before.</summary>
    /// <param name="serial">Its serial.</param>
    /// <param name="records">Its records beside SOA and NS.</param>
    public Zone Publish(uint serial, params string[] records)
    {
        Zone zone = Load(serial, records);
        Slot.Publish(zone, delta: Slot.Zone is { } before ? ZoneDelta.Between(before, zone) : null);
        return zone;
    }

    /// <summary>A version that is not published.</summary>
    public static Zone Load(uint serial, params string[] records) => ZoneText.Load(
        "z.test", $"$TTL 300\n@ SOA ns hostmaster {serial} 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\n" +
            string.Join('\n', records));

    /// <summary>Records that make a zone so large that small changes of it are worth keeping.</summary>
    public static string Bulk(int count = 200) => $"$GENERATE 1-{count} host-$ A 192.0.2.9";

    /// <summary>Records as text, for comparison: owner in lower case, TTL, type and RDATA.</summary>
    public static IReadOnlyList<string> TextOf(RecordList records)
    {
        List<string> texts = [];
        foreach (RecordList.ListedRecord record in records)
            texts.Add(new MessageRecord(DomainName.FromOctets(record.Owner), record.Type, RRClass.IN, record.Ttl,
                record.Rdata.ToArray())
                .ToString().ToLowerInvariant());
        return texts;
    }

    /// <summary>The records of a version as text, sorted.</summary>
    public static IReadOnlyList<string> TextOf(Zone zone)
    {
        List<string> texts = [];
        foreach (ZoneNode node in zone)
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    texts.Add(new MessageRecord(DomainName.FromOctets(node.Name), rrset.Type, RRClass.IN, rrset.Ttl,
                        rdata.ToArray())
                        .ToString().ToLowerInvariant());
        texts.Sort(StringComparer.Ordinal);
        return texts;
    }

    public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation) =>
        throw new NotSupportedException();

    public Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
        throw new NotSupportedException();

    public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    public ZoneOrigin OriginOf(ZoneSlot slot) => new("a test", null);
}
