namespace Dns.Zones.Editing;

/// <summary>
/// The end of the segment to which versions of a zone append. Only the newest version may: an edit of an older one
/// finds that the end has moved, and starts a new segment.
/// </summary>
internal sealed class SegmentTail(int end)
{
    private const int Claimed = -1;

    private int _end = end;

    /// <summary>Acquires the right to write at <paramref name="end"/>.</summary>
    /// <returns>False if it is already written, or another thread is writing.</returns>
    internal bool TryClaim(int end) => Interlocked.CompareExchange(ref _end, Claimed, end) == end;

    /// <summary>Releases the right to append, for an edit of the version that ends at <paramref name="end"/>.</summary>
    internal void Release(int end) => Volatile.Write(ref _end, end);
}
