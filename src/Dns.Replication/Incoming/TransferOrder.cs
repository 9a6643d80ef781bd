using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>What a transfer is to bring.</summary>
/// <param name="Zone">The zone.</param>
/// <param name="Have">The version that is here; null = none.</param>
/// <param name="Options">Keys and limits.</param>
internal sealed record TransferOrder(DomainName Zone, Zone? Have, SecondaryOptions Options)
{
    /// <summary>Whether the whole zone is asked for, although there is a version.</summary>
    public bool IsWhole { get; init; }

    /// <summary>Whether the zone is taken whatever its serial.</summary>
    public bool AcceptsAnySerial { get; init; }

    /// <summary>Whether the primary takes queries with EDNS.</summary>
    public bool HasEdns { get; init; } = true;
}
