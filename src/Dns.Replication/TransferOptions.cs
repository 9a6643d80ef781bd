namespace Dns.Replication;

/// <summary>Limits on zone transfers, section <c>Dns:Transfer</c> of the settings. Immutable.</summary>
public sealed record TransferOptions
{
    /// <summary>The most octets of messages of one transfer in, 65,536 or more.</summary>
    public long MaxOctets { get; init; } = 8L << 30;

    /// <summary>The most records of one transfer in, at least 1.</summary>
    public int MaxRecords { get; init; } = 200_000_000;

    /// <summary>The longest time that one transfer in may take, in seconds, at least 1.</summary>
    public int MaxSeconds { get; init; } = 7200;

    /// <summary>Transfers in that run at a time, at least 1; the others wait.</summary>
    public int MaxIncoming { get; init; } = 8;

    /// <summary>Transfers out that run at a time, at least 1.</summary>
    public int MaxOutgoing { get; init; } = 32;
}
