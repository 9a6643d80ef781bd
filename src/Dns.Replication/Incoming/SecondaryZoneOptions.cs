namespace Dns.Replication.Incoming;

/// <summary>Options of a secondary zone. Compared by value, lists by reference.</summary>
/// <param name="Primaries">The primaries in order; at least one.</param>
public sealed record SecondaryZoneOptions(DomainName Name, IReadOnlyList<PeerAddress> Primaries)
{
    /// <summary>The minimum of refresh and retry, which overrides the SOA; at least one second.</summary>
    public TimeSpan MinRefresh { get; init; }

    /// <summary>The clients that may query the zone; null = all.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>Policy of transfers, NOTIFY, updates; null = the server's. Default AllowNotify: primaries.</summary>
    public ZonePolicy? Policy { get; init; }

    /// <summary>The precedence over other claims on the name. Fixed for the lifetime of the zone.</summary>
    public ZonePrecedence Precedence { get; init; } = ZonePrecedence.Settings;
}
