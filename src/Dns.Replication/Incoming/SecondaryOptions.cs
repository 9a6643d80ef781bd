using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>What holds for all zones of a source of secondary zones. May be replaced while it runs.</summary>
public sealed record SecondaryOptions
{
    /// <summary>The keys that queries are signed with and messages of primaries verified.</summary>
    public TsigKeyRing Keys { get; init; } = TsigKeyRing.Empty;

    /// <summary>What a transfer may take, and how many run at a time.</summary>
    public TransferOptions Transfer { get; init; } = new();

    /// <summary>Zones whose primaries are asked for the serial at a time, 1 at least.</summary>
    public int MaxChecks { get; init; } = 100;

    /// <summary>How large a name may be.</summary>
    public ZoneLimits ZoneLimits { get; init; } = ZoneLimits.Default;

    /// <summary>Who may notify of zones that do not say so themselves; null = their primaries.</summary>
    public PeerList? AllowNotify { get; init; }
}
