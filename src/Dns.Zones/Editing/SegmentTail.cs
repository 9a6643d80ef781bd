namespace Dns.Zones;

/// <summary>
/// The end of the segment that versions of a zone append to. Only the newest version may: an edit of an older one finds that
/// the end has moved on, and begins a segment of its own.
/// </summary>
internal sealed class SegmentTail(int end)
{
    private const int Claimed = -1;

    private int _end = end;

    /// <summary>Takes the right to write behind <paramref name="end"/>.</summary>
    /// <returns>False if something stands there already, or another thread is writing.</returns>
    internal bool TryClaim(int end) => Interlocked.CompareExchange(ref _end, Claimed, end) == end;

    /// <summary>Releases the right to append, for an edit of the version that ends at <paramref name="end"/>.</summary>
    internal void Release(int end) => Volatile.Write(ref _end, end);
}
