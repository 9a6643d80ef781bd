namespace Dns.Features.Forwarding;

/// <summary>
/// Bounds the memory of answers held by queries that wait for alias targets, up to seven of 64 KiB for a query, so that
/// a zone with long answers cannot exhaust the memory. Thread-safe.
/// </summary>
public sealed class PartMemory(long mostBytes)
{
    /// <summary>The overhead of an answer: three objects and a list entry.</summary>
    public const int OverheadBytes = 160;

    /// <summary>One octet in so many is for clients whose addresses are proven.</summary>
    private const int ProvenPart = 8;

    private long _held;

    /// <summary>Bytes in use.</summary>
    public long Held => Volatile.Read(ref _held);

    /// <summary>An eighth of the process's memory limit, at most 1 GiB: like the buffers of TCP connections.</summary>
    public static long AffordableBytes { get; } = new Transport.TcpLimits().MaxBufferBytes;

    /// <summary>Reserves memory for an answer; false, with nothing reserved, above the bound.</summary>
    /// <param name="isProven">Whether the client's address is proven: others leave an eighth to those.</param>
    public bool TryTake(int bytes, bool isProven)
    {
        long room = isProven ? mostBytes : mostBytes - mostBytes / ProvenPart;
        if (Interlocked.Add(ref _held, bytes) <= room) return true;
        Interlocked.Add(ref _held, -bytes);
        return false;
    }

    public void Return(int bytes) => Interlocked.Add(ref _held, -bytes);
}
