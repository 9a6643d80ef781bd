using System.Buffers;

namespace Dns.Transport.Tcp;

/// <summary>
/// Bounds the buffers of all TCP connections. From half of the bound on, each rental evicts connections of the clients
/// that hold most; at the bound the rental fails and its connection ends.
/// </summary>
/// <remarks>
/// Counts only what is held while a connection waits; buffers used within a turn are bounded by the number of threads.
/// Thread-safe; two atomic additions for a buffer, and the table's lock for a connection with more than a small one.
/// </remarks>
internal sealed class StreamMemory(ArrayPool<byte> pool, ConnectionTable table)
{
    /// <summary>A connection with less is evicted only if its client, which holds most, has no other.</summary>
    public const int SmallBytes = 8 * 1024;

    // An evicted connection releases its buffers a moment later, so several may be evicted for one rental.
    private const int MostEvictedAtOnce = 64;

    // The last part of the bound is for prefixes that hold little. Evictions begin at half of the bound, but what the
    // evicted ones still hold may reach it.
    private const int LightPart = 8;
    private const int LightFraction = 64;

    private long _held;
    private long _leaving;

    /// <summary>The pool of buffers that are not held while a connection waits.</summary>
    public ArrayPool<byte> Pool => pool;

    /// <summary>Octets held by connections.</summary>
    public long Held => Volatile.Read(ref _held);

    /// <summary>Rents a buffer; null at the bound, except a connection's first: their number bounds those.</summary>
    /// <param name="octets">The least size of the buffer.</param>
    /// <param name="most">The bound on all buffers held.</param>
    public byte[]? TryRent(TcpConnection owner, int octets, long most)
    {
        byte[] buffer;
        try
        {
            buffer = pool.Rent(octets);
        }
        catch (OutOfMemoryException)
        {
            Evict(octets, mostSmall: 1);
            return null;
        }
        long held = Interlocked.Add(ref _held, buffer.Length);
        bool isRefused = held > RoomOf(owner, most) && octets > IncomingFrames.SmallBytes;
        if (isRefused)
        {
            Interlocked.Add(ref _held, -buffer.Length);
            pool.Return(buffer);
        }
        else if (owner.AddHeld(buffer.Length))
        {
            table.NoteHolding(owner);
        }
        if (held - Volatile.Read(ref _leaving) > most / 2) Evict(octets, mostSmall: 1);
        return isRefused ? null : buffer;
    }

    public void Return(TcpConnection owner, byte[] buffer)
    {
        Interlocked.Add(ref _held, -buffer.Length);
        if (owner.AddHeld(-buffer.Length)) table.NoteHolding(owner);
        pool.Return(buffer);
    }

    /// <summary>Evicts connections that hold a quarter of all buffers, after an out-of-memory.</summary>
    public void Relieve() => Evict(Held / 4, mostSmall: MostEvictedAtOnce);

    /// <summary>Called when an evicted connection has released its buffers.</summary>
    public void NoteLeft(int octets) => Interlocked.Add(ref _leaving, -octets);

    private static long RoomOf(TcpConnection owner, long most)
    {
        long ofPrefix = owner.Groups[(int)GroupLevel.Prefix]?.Octets ?? 0;
        return ofPrefix > most / LightFraction ? most - most / LightPart : most;
    }

    /// <summary>
    /// Evicts until this much will be released. Buffers of evicted connections count as held until released, but as
    /// free when deciding whether to evict more.
    /// </summary>
    private void Evict(long octets, int mostSmall)
    {
        for (int i = 0; octets > 0 && i < MostEvictedAtOnce; i++)
        {
            if (table.TakeHeaviest(mayBeSmall: i < mostSmall, out int held) is not IByteStream stream) return;
            octets -= held;
            Interlocked.Add(ref _leaving, held);
            stream.Close();
        }
    }
}
