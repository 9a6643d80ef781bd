using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// How many answers each client waits for: up to a limit, and never more than there is room left, so that a few clients that
/// ask for slow names do not take the room of all. N such clients leave a share of 1/(N+1) free. A client is an IPv4 address
/// or an IPv6 /64. A fixed array of counters, found by a seeded hash: it costs the same however many addresses are forged,
/// and a client that shares a counter by chance shares the limit, nothing else.
/// </summary>
internal sealed class ClientShares(int first)
{
    private const int Counters = 1 << 16;

    private readonly int[] _waiting = new int[Counters];
    private readonly ulong _seed = NameHash.Root;
    private volatile int _limit = first;

    /// <summary>The most answers that one client may wait for.</summary>
    internal int Limit
    {
        set => _limit = value;
    }

    /// <summary>Answers waited for by all clients.</summary>
    internal int Total
    {
        get
        {
            int total = 0;
            foreach (ref int waiting in _waiting.AsSpan()) total += Volatile.Read(ref waiting);
            return total;
        }
    }

    /// <summary>Counts one more answer that a client waits for.</summary>
    /// <param name="client">The client.</param>
    /// <param name="room">How many more answers may be waited for by all.</param>
    /// <param name="share">Which counter; to be given back.</param>
    /// <returns>False, with nothing counted, if the client waits for as many as it may.</returns>
    internal bool TryTake(ref ClientAddress client, int room, out int share)
    {
        share = Find(ref client);
        if (Interlocked.Increment(ref _waiting[share]) <= Math.Min(_limit, room)) return true;
        Interlocked.Decrement(ref _waiting[share]);
        return false;
    }

    /// <summary>Whether a client waits for more answers than there is room left: it has its share of what all have.</summary>
    internal bool IsAbove(int share, int room) => Volatile.Read(ref _waiting[share]) > room;

    /// <summary>An answer was given.</summary>
    internal void Return(int share) => Interlocked.Decrement(ref _waiting[share]);

    private int Find(ref ClientAddress client)
    {
        ReadOnlySpan<ulong> halves = MemoryMarshal.Cast<byte, ulong>(client.Address);
        ulong part = client.IsIPv4 ? BinaryPrimitives.ReverseEndianness(halves[1]) : halves[0];
        ulong hash = Math.BigMul(part ^ _seed, 0x9E3779B97F4A7C15, out ulong low) ^ low;
        return (int)(BitOperations.RotateLeft(hash, 17) ^ hash) & (Counters - 1);
    }
}
