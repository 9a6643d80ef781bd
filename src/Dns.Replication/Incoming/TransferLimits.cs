namespace Dns.Replication;

/// <summary>What one transfer from a primary may take. Beyond a limit it ends, and the zone is served as before.</summary>
public sealed record TransferLimits
{
    /// <summary>Octets of all its messages, without their lengths.</summary>
    public long MaxOctets { get; init; } = 8L << 30;

    /// <summary>Records of all its messages.</summary>
    public long MaxRecords { get; init; } = 200_000_000;

    /// <summary>From the connection to the last message.</summary>
    public TimeSpan MaxTime { get; init; } = TimeSpan.FromHours(2);
}
