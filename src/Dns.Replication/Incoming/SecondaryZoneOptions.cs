using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>What an operator says of a zone that is copied from other servers. Compared by value, the lists by reference.</summary>
/// <param name="Name">The zone.</param>
/// <param name="Primaries">Where it comes from, asked in this order; one at least.</param>
public sealed record SecondaryZoneOptions(DomainName Name, IReadOnlyList<PeerAddress> Primaries)
{
    /// <summary>The least time between two refreshes, whatever the SOA says; below one second means one second.</summary>
    public TimeSpan MinRefresh { get; init; }

    /// <summary>The clients that the zone is answered to; null = everybody.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>With whom the zone is exchanged; null = as the server says. AllowNotify that nobody states: the primaries.</summary>
    public ZonePolicy? Policy { get; init; }

    /// <summary>Which other claims on the name the zone goes before. Stays as long as the zone does.</summary>
    public ZonePrecedence Precedence { get; init; } = ZonePrecedence.Settings;
}
