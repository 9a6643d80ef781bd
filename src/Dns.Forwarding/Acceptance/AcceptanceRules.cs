namespace Dns.Forwarding.Acceptance;

/// <summary>The rules for replies of one forwarded zone's upstreams. Immutable; TTLs in seconds.</summary>
public sealed record AcceptanceRules
{
    private readonly byte[] _zone = [0];
    private readonly int _zoneLabels;

    /// <summary>Rules for the upstreams of a zone.</summary>
    /// <param name="zone">The forwarded zone: records outside of it are dropped.</param>
    public AcceptanceRules(DomainName zone, CacheOptions cache)
    {
        LookupName name = default;
        name.Set(zone.Octets);
        _zone = name.Octets.ToArray();
        _zoneLabels = name.LabelCount;
        MinTtl = Seconds(cache.MinTtl);
        MaxTtl = Seconds(cache.MaxTtl);
        MaxNegativeTtl = Seconds(cache.MaxNegativeTtl);
    }

    /// <summary>The minimum TTL.</summary>
    public uint MinTtl { get; }

    /// <summary>The maximum TTL; wins over <see cref="MinTtl"/>.</summary>
    public uint MaxTtl { get; }

    /// <summary>The maximum TTL of a negative answer; wins over <see cref="MinTtl"/>.</summary>
    public uint MaxNegativeTtl { get; }

    /// <summary>Whether private addresses are dropped (DNS rebinding): for zones of public names.</summary>
    public bool DropPrivateAddresses { get; init; }

    /// <summary>Finds longer zones below this one, served or forwarded; null = none.</summary>
    internal ZoneRouting? Routing { get; init; }

    /// <summary>
    /// Whether the owner of a DNAME at or above a name of the zone is in the zone, too, and not the name of a served
    /// one, which may delegate the other name.
    /// </summary>
    internal bool HoldOwner(in LookupName owner) =>
        owner.LabelCount >= _zoneLabels && Routing?.IsServed(in owner) != true;

    /// <summary>Whether a name is in the zone: at or below it, and in no longer zone, served or forwarded.</summary>
    internal bool Hold(in LookupName name, RRType type) =>
        name.LabelCount >= _zoneLabels && name.Suffix(name.LabelCount - _zoneLabels).SequenceEqual(_zone)
        && (Routing is null || Routing.IsOf(in name, type, _zoneLabels));

    /// <summary>The TTL to cache: 0 if the top bit is set (RFC 2181 §8), within the limits.</summary>
    internal uint Cap(uint ttl) => Math.Min(Math.Max(ttl > int.MaxValue ? 0 : ttl, MinTtl), MaxTtl);

    /// <summary>The TTL of a negative answer (RFC 2308 §5).</summary>
    internal uint CapNegative(uint ttl, uint minimum) =>
        Math.Min(Cap(Math.Min(ttl > int.MaxValue ? 0 : ttl, minimum > int.MaxValue ? 0 : minimum)), MaxNegativeTtl);

    private static uint Seconds(TimeSpan time) => (uint)Math.Clamp(time.TotalSeconds, 0, int.MaxValue);
}
