namespace Dns.Replication.Incoming;

/// <summary>Options of all zones of a <see cref="SecondarySource"/>. May be replaced at runtime.</summary>
public sealed record SecondaryOptions
{
    /// <summary>The known keys.</summary>
    public TsigKeyRing Keys { get; init; } = TsigKeyRing.Empty;

    /// <summary>Limits of transfers.</summary>
    public TransferOptions Transfer { get; init; } = new();

    /// <summary>The maximum number of concurrent serial queries, at least 1.</summary>
    public int MaxChecks { get; init; } = 100;

    /// <summary>Limits of zone data.</summary>
    public ZoneLimits ZoneLimits { get; init; } = ZoneLimits.Default;

    /// <summary>The access list of NOTIFY for zones without their own; null = their primaries.</summary>
    public PeerList? AllowNotify { get; init; }
}
