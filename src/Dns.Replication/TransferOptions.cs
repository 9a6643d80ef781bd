namespace Dns.Replication;

/// <summary>Limits on zone transfers, section <c>Dns:Transfer</c> of the settings. Immutable.</summary>
public sealed record TransferOptions
{
    /// <summary>The memory that the process may use, in bytes.</summary>
    internal static long ProcessBytes { get; } = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    /// <summary>
    /// The maximum octets of one incoming transfer, at least 65,536: of its messages, and of their records with
    /// uncompressed names.
    /// </summary>
    public long MaxOctets { get; init; } = 8L << 30;

    /// <summary>The maximum records of one incoming transfer, at least 1.</summary>
    public int MaxRecords { get; init; } = 200_000_000;

    /// <summary>The maximum duration of one incoming transfer in seconds, at least 1.</summary>
    public int MaxSeconds { get; init; } = 7200;

    /// <summary>The maximum number of concurrent incoming transfers, at least 1; others wait.</summary>
    public int MaxIncoming { get; init; } = 8;

    /// <summary>The maximum number of concurrent outgoing transfers, at least 1.</summary>
    public int MaxOutgoing { get; init; } = 32;
}
