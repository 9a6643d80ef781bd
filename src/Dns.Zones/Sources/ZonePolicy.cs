using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// With whom a zone is exchanged. Immutable, and one for all zones of which the same was said. What is null is as the server says
/// for all zones.
/// </summary>
public sealed record ZonePolicy
{
    /// <summary>Who may have the whole zone (RFC 5936 §5).</summary>
    public PeerList? AllowTransfer { get; init; }

    /// <summary>Who may change the zone (RFC 2136, RFC 3007).</summary>
    public UpdatePolicy? AllowUpdate { get; init; }

    /// <summary>The servers to notify of changes (RFC 1996).</summary>
    public IReadOnlyList<PeerAddress>? Notify { get; init; }

    /// <summary>Who may tell that the zone has changed on its primary.</summary>
    public PeerList? AllowNotify { get; init; }

    /// <summary>The catalog, made on this server, that the zone is listed in (RFC 9432 §4.1); null = none.</summary>
    public DomainName? MemberOf { get; init; }

    /// <summary>The group that the zone has in that catalog (RFC 9432 §4.4.2); null = none.</summary>
    public string? Group { get; init; }

    /// <summary>The name of the policy that the zone is signed by on this server; null = it is served as its source has it.</summary>
    public string? Dnssec { get; init; }

    /// <summary>
    /// Whether a zone that was signed here and has no policy any more is served unsigned at once, whatever its parent has: validators may
    /// reject it then. Otherwise it stays signed until its DS records are gone.
    /// </summary>
    public bool IsUnsignedAtOnce { get; init; }
}
