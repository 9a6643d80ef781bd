namespace Dns.Server;

/// <summary>
/// How much the answers take that queries keep while they wait for the names that aliases lead on to: up to seven of 64 KiB for a
/// query. Bounded in sum, so that a zone of long answers does not cost the server its memory. Thread-safe.
/// </summary>
/// <param name="mostBytes">The most of all queries together.</param>
internal sealed class PartMemory(long mostBytes)
{
    /// <summary>What an answer takes beside its octets: three objects and the place in a list.</summary>
    public const int OverheadBytes = 160;

    private long _held;

    /// <summary>Bytes that are kept now.</summary>
    public long Held => Volatile.Read(ref _held);

    /// <summary>An eighth of the memory that the process may use, 1 GiB at most: as much as the buffers of TCP connections.</summary>
    public static long AffordableBytes { get; } = new Transport.TcpLimits().MaxBufferBytes;

    /// <summary>Counts an answer that is to be kept.</summary>
    /// <returns>False, with nothing counted, if that would be too much.</returns>
    public bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _held, bytes) <= mostBytes) return true;
        Interlocked.Add(ref _held, -bytes);
        return false;
    }

    /// <summary>Answers are no longer kept.</summary>
    public void Return(int bytes) => Interlocked.Add(ref _held, -bytes);
}
