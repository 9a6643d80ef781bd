namespace Dns.Replication.History;

/// <summary>One delta of a <see cref="KeptVersions"/>, linked with its neighbours.</summary>
/// <param name="snapshot">The number of the version after; 0 if that is gone.</param>
internal sealed class HistoryDelta(ZoneDelta delta, long snapshot)
{
    // Objects and links, without the records.
    private const int FixedBytes = 320;

    private volatile HistoryDelta? _previous;

    public ZoneDelta Delta => delta;
    public long Snapshot => snapshot;

    /// <summary>Its approximate length in a transfer, in octets.</summary>
    public long Octets { get; } = TransferOctets.Of(delta);

    /// <summary>Its memory in bytes.</summary>
    public long Bytes { get; } = delta.Removed.MemoryBytes + delta.Added.MemoryBytes + FixedBytes;

    /// <summary>The previous delta; null for the oldest. May be cut while others read.</summary>
    public HistoryDelta? Previous
    {
        get => _previous;
        set => _previous = value;
    }

    /// <summary>The next delta; for the writer.</summary>
    public HistoryDelta? Next { get; set; }
}
