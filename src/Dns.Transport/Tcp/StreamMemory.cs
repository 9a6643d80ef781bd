using System.Buffers;

namespace Dns.Transport;

/// <summary>
/// The buffers of all TCP connections, bounded in sum. From half of the bound on, each buffer that is rented has the
/// connections evicted that have held more than a small buffer for longest; at the bound nothing is rented, and the
/// connection that asks ends.
/// </summary>
/// <remarks>
/// Only what is held while a connection waits is counted; what one thread rents and returns within one turn is bounded by
/// the number of threads. Thread-safe; one atomic addition for a buffer.
/// </remarks>
/// <param name="pool">Where the buffers come from.</param>
/// <param name="table">The connections that can be evicted.</param>
internal sealed class StreamMemory(ArrayPool<byte> pool, ConnectionTable table)
{
    /// <summary>Up to this much a connection is not evicted for: a receive buffer and a few answers.</summary>
    public const int SmallBytes = 8 * 1024;

    // A connection ends a moment after its eviction, so that several may be evicted for one buffer.
    private const int MostEvictedAtOnce = 64;

    private long _held;
    private long _leaving;

    /// <summary>Where buffers come from that are not held while a connection waits.</summary>
    public ArrayPool<byte> Pool => pool;

    /// <summary>Octets that connections hold now.</summary>
    public long Held => Volatile.Read(ref _held);

    /// <summary>
    /// Rents a buffer of at least so many octets for a connection. Null when there is no room for it, which the first buffer
    /// of a connection always has: the number of connections bounds those.
    /// </summary>
    /// <param name="owner">Who holds it.</param>
    /// <param name="octets">How many it needs.</param>
    /// <param name="most">The bound on all that is held.</param>
    public byte[]? TryRent(TcpConnection owner, int octets, long most)
    {
        byte[] buffer;
        try
        {
            buffer = pool.Rent(octets);
        }
        catch (OutOfMemoryException)
        {
            Evict(octets);
            return null;
        }

        long held = Interlocked.Add(ref _held, buffer.Length);
        bool isRefused = held > most && octets > IncomingFrames.SmallBytes;
        if (isRefused)
        {
            Interlocked.Add(ref _held, -buffer.Length);
            pool.Return(buffer);
        }
        else if (owner.AddHeld(buffer.Length))
        {
            table.NoteHolding(owner);
        }

        if (held - Volatile.Read(ref _leaving) > most / 2)
        {
            Evict(octets);
        }

        return isRefused ? null : buffer;
    }

    /// <summary>Takes a buffer back.</summary>
    public void Return(TcpConnection owner, byte[] buffer)
    {
        Interlocked.Add(ref _held, -buffer.Length);
        if (owner.AddHeld(-buffer.Length))
        {
            table.NoteHolding(owner);
        }

        pool.Return(buffer);
    }

    /// <summary>Evicts connections that hold a quarter of what all hold: the process has run out of memory.</summary>
    public void Relieve() => Evict(Held / 4);

    /// <summary>A connection that was evicted holds nothing any more.</summary>
    public void NoteLeft(int octets) => Interlocked.Add(ref _leaving, -octets);

    /// <summary>
    /// Evicts until so much will come back. What those hold that were evicted counts as theirs until they end, and as free
    /// already where it is decided whether more have to go.
    /// </summary>
    private void Evict(long octets)
    {
        for (int i = 0; octets > 0 && i < MostEvictedAtOnce; i++)
        {
            if (table.TakeLongestHolding(mayBeIdle: i == 0, out int held) is not IStreamTransport stream)
            {
                return;
            }

            octets -= held;
            Interlocked.Add(ref _leaving, held);
            stream.Close();
        }
    }
}
