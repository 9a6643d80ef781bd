namespace Dns.Zones.Sources;

/// <summary>
/// The exchange policy of a zone. Immutable, shared by zones with equal settings. Null = the server's setting.
/// </summary>
public sealed record ZonePolicy
{
    /// <summary>Who may transfer the zone (RFC 5936 §5).</summary>
    public PeerList? AllowTransfer { get; init; }

    /// <summary>Who may update the zone (RFC 2136, RFC 3007).</summary>
    public UpdatePolicy? AllowUpdate { get; init; }

    /// <summary>The servers to notify of changes (RFC 1996).</summary>
    public IReadOnlyList<PeerAddress>? Notify { get; init; }

    /// <summary>Who may send NOTIFY for the zone.</summary>
    public PeerList? AllowNotify { get; init; }

    /// <summary>The catalog produced here that lists the zone (RFC 9432 §4.1); null = none.</summary>
    public DomainName? MemberOf { get; init; }

    /// <summary>The zone's group in that catalog (RFC 9432 §4.4.2); null = none.</summary>
    public string? Group { get; init; }

    /// <summary>The name of the signing policy; null = the source's version is served.</summary>
    public string? Dnssec { get; init; }

    /// <summary>
    /// Whether a formerly signed zone without a policy is served unsigned at once, whatever its parent has: validators
    /// may then reject it. Otherwise it stays signed until its DS records are gone.
    /// </summary>
    public bool IsUnsignedAtOnce { get; init; }
}
