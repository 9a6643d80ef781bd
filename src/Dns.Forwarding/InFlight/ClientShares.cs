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
    /// <summary>
    /// The most answers to one question that a client waits for: equal ones all leave at the same moment, and what does is a burst
    /// at an address that may be forged.
    /// </summary>
    internal const int MostOfQuestion = 16;

    private const int Counters = 1 << 16;

    private readonly int[] _waiting = new int[Counters];
    private readonly int[] _waitingOfQuestion = new int[Counters];
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
            foreach (ref int waiting in _waitingOfQuestion.AsSpan()) total += Volatile.Read(ref waiting);
            return total;
        }
    }

    /// <summary>Counts one more answer that a client waits for.</summary>
    /// <param name="client">The client.</param>
    /// <param name="question">The hash of the question.</param>
    /// <param name="room">How many more answers may be waited for by all.</param>
    /// <param name="share">Which counters; to be given back.</param>
    /// <returns>False, with nothing counted, if the client waits for as many as it may.</returns>
    internal bool TryTake(ref ClientAddress client, ulong question, int room, out ClientShare share)
    {
        ulong hash = Hash(ref client);
        share = new(IndexOf(hash), IndexOf(Mix(hash ^ question)));
        if (Interlocked.Increment(ref _waiting[share.Client]) <= Math.Min(_limit, room))
        {
            if (Interlocked.Increment(ref _waitingOfQuestion[share.Question]) <= MostOfQuestion) return true;
            Interlocked.Decrement(ref _waitingOfQuestion[share.Question]);
        }
        Interlocked.Decrement(ref _waiting[share.Client]);
        return false;
    }

    /// <summary>Whether a client waits for more answers than there is room left: it has its share of what all have.</summary>
    internal bool IsAbove(ClientShare share, int room) => Volatile.Read(ref _waiting[share.Client]) > room;

    /// <summary>An answer was given.</summary>
    internal void Return(ClientShare share)
    {
        Interlocked.Decrement(ref _waiting[share.Client]);
        Interlocked.Decrement(ref _waitingOfQuestion[share.Question]);
    }

    private ulong Hash(ref ClientAddress client)
    {
        ReadOnlySpan<ulong> halves = MemoryMarshal.Cast<byte, ulong>(client.Address);
        ulong part = client.IsIPv4 ? BinaryPrimitives.ReverseEndianness(halves[1]) : halves[0];
        return Mix(part ^ _seed);
    }

    private static int IndexOf(ulong hash) => (int)hash & (Counters - 1);

    private static ulong Mix(ulong value)
    {
        ulong hash = Math.BigMul(value, 0x9E3779B97F4A7C15, out ulong low) ^ low;
        return BitOperations.RotateLeft(hash, 17) ^ hash;
    }
}
