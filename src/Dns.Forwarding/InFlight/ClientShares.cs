using System.Numerics;

namespace Dns.Forwarding.InFlight;

/// <summary>
/// Bounds the answers that each client waits for: by a limit, and by the remaining room, so that a few clients with
/// slow names cannot take it all. N such clients leave a share of 1/(N+1). A client is an IPv4 address or an IPv6 /64.
/// A fixed array of counters with a seeded hash: memory does not depend on forged addresses, and clients that collide
/// only share the limit.
/// </summary>
internal sealed class ClientShares(int first)
{
    // The maximum number of waiting answers to one question for a client: they all leave at the same moment, possibly
    // to a forged address.
    internal const int MostOfQuestion = 16;

    private const int Counters = 1 << 16;

    private readonly int[] _waiting = new int[Counters];
    private readonly int[] _waitingOfQuestion = new int[Counters];
    private readonly ulong _seed = NameHash.Root;
    private volatile int _limit = first;

    /// <summary>The maximum number of answers that one client may wait for.</summary>
    internal int Limit
    {
        set => _limit = value;
    }

    /// <summary>Answers that all clients wait for.</summary>
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

    /// <summary>Takes a share for one more answer; false, with nothing counted, at the client's limit.</summary>
    /// <param name="question">The hash of the question.</param>
    /// <param name="room">The remaining room for all clients.</param>
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

    /// <summary>Whether a client waits for more answers than there is room left.</summary>
    internal bool IsAbove(ClientShare share, int room) => Volatile.Read(ref _waiting[share.Client]) > room;

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
