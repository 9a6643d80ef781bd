using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>What an operator decides about the replies of one forwarded zone's upstreams. Immutable; TTLs in seconds.</summary>
public sealed record AcceptanceRules
{
    private readonly byte[] _zone = [0];
    private readonly int _zoneLabels;

    /// <summary>Rules for the upstreams of a zone.</summary>
    /// <param name="zone">The forwarded zone: what they say of names outside it is dropped.</param>
    /// <param name="cache">The caps on TTLs.</param>
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

    /// <summary>TTLs below are raised to it.</summary>
    public uint MinTtl { get; }

    /// <summary>TTLs above are lowered to it; it wins over <see cref="MinTtl"/>.</summary>
    public uint MaxTtl { get; }

    /// <summary>The SOA's TTL and MINIMUM of a negative answer are lowered to it; it wins over <see cref="MinTtl"/> too.</summary>
    public uint MaxNegativeTtl { get; }

    /// <summary>Whether addresses of private networks are dropped (rebinding): for zones of public names.</summary>
    public bool DropPrivateAddresses { get; init; }

    /// <summary>Says which names below the zone belong to a longer one, served or forwarded; null = none do.</summary>
    internal ZoneRouting? Routing { get; init; }

    /// <summary>
    /// Whether the upstreams of the zone are the ones to ask about a name: it is at or below the zone, and no longer zone, served
    /// or forwarded, holds it.
    /// </summary>
    internal bool Hold(in LookupName name, RRType type) =>
        name.LabelCount >= _zoneLabels && name.Suffix(name.LabelCount - _zoneLabels).SequenceEqual(_zone)
        && (Routing is null || Routing.IsOf(in name, type, _zoneLabels));

    /// <summary>A TTL as it is kept: without the top bit (RFC 2181 §8), within the caps.</summary>
    internal uint Cap(uint ttl) => Math.Min(Math.Max(ttl > int.MaxValue ? 0 : ttl, MinTtl), MaxTtl);

    /// <summary>How long a negative answer is kept (RFC 2308 §5).</summary>
    internal uint CapNegative(uint ttl, uint minimum) =>
        Math.Min(Cap(Math.Min(ttl > int.MaxValue ? 0 : ttl, minimum > int.MaxValue ? 0 : minimum)), MaxNegativeTtl);

    private static uint Seconds(TimeSpan time) => (uint)Math.Clamp(time.TotalSeconds, 0, int.MaxValue);
}
