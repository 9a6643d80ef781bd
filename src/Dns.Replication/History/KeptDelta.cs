using Dns.Zones;

namespace Dns.Replication;

/// <summary>One delta of a <see cref="KeptVersions"/>, linked with its neighbours.</summary>
/// <param name="delta">The change.</param>
/// <param name="snapshot">The version that it makes; 0 if that is gone.</param>
internal sealed class KeptDelta(ZoneDelta delta, long snapshot)
{
    // Objects and links beside the records.
    private const int FixedBytes = 320;

    private volatile KeptDelta? _previous;

    /// <summary>The change.</summary>
    public ZoneDelta Delta => delta;

    /// <summary>The number of the version that it makes.</summary>
    public long Snapshot => snapshot;

    /// <summary>About how many octets it takes in a transfer.</summary>
    public long Octets { get; } = TransferOctets.Of(delta);

    /// <summary>Bytes of memory that it takes.</summary>
    public long Bytes { get; } = delta.Removed.MemoryBytes + delta.Added.MemoryBytes + FixedBytes;

    /// <summary>The delta before; null for the oldest. Cut off while others read.</summary>
    public KeptDelta? Previous
    {
        get => _previous;
        set => _previous = value;
    }

    /// <summary>The delta after; for who writes.</summary>
    public KeptDelta? Next { get; set; }
}
