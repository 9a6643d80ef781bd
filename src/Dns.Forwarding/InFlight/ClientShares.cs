using System.Numerics;

namespace Dns.Forwarding.InFlight;

/// <summary>
/// Bounds the answers that each client waits for: by a limit, and by the remaining room, so that a few clients with
/// slow names cannot take it all. N such clients leave a share of 1/(N+1). A client is an address. The addresses of an
/// IPv6 /64 together also have a limit and count as one client for the room, since one host may use them all. Proven
/// addresses are counted apart: datagrams with a forged source take nothing from them.
/// </summary>
/// <remarks>
/// Fixed arrays of counters with seeded hashes: memory does not depend on forged addresses, and clients that collide
/// only share the limit. Thread-safe; lock-free; allocates nothing.
/// </remarks>
internal sealed class ClientShares
{
    // The maximum number of waiting answers to one question for a client: they all leave at the same moment, possibly
    // to a forged address.
    internal const int MostOfQuestion = 16;

    /// <summary>The number of counters of each kind.</summary>
    internal const int Counters = 1 << 16;

    private readonly int[] _ofClient = new int[Counters];
    private readonly int[] _ofNetwork = new int[Counters];
    private readonly int[] _ofQuestion = new int[Counters];
    private readonly ulong _seed = NameHash.Root;
    private readonly ulong _provenSeed = Mix(NameHash.Root);
    private volatile int _limit;
    private volatile int _networkLimit;

    internal ClientShares(ForwarderOptions options) => Use(options);

    /// <summary>Answers that all clients wait for.</summary>
    internal int Total
    {
        get
        {
            int total = 0;
            foreach (ref int waiting in _ofClient.AsSpan()) total += Volatile.Read(ref waiting);
            foreach (ref int waiting in _ofNetwork.AsSpan()) total += Volatile.Read(ref waiting);
            foreach (ref int waiting in _ofQuestion.AsSpan()) total += Volatile.Read(ref waiting);
            return total;
        }
    }

    /// <summary>Changes the limits for answers to come.</summary>
    internal void Use(ForwarderOptions options) =>
        (_limit, _networkLimit) = (options.MaxInFlightPerClient, options.MaxInFlightPerNetwork);

    /// <summary>Takes a share for one more answer; false, with nothing counted, at a limit.</summary>
    /// <param name="isProven">Whether the address is proven; false if it may be forged.</param>
    /// <param name="question">The hash of the question.</param>
    /// <param name="room">The remaining room for all clients.</param>
    internal bool TryTake(ref ClientAddress client, bool isProven, ulong question, int room, out ClientShare share)
    {
        share = ShareOf(ref client, isProven, question);
        if (!TryCount(ref _ofClient[share.Client], Math.Min(_limit, room))) return false;
        if (!share.HasNetwork || TryCount(ref _ofNetwork[share.Network], Math.Min(_networkLimit, room)))
        {
            if (TryCount(ref _ofQuestion[share.Question], MostOfQuestion)) return true;
            if (share.HasNetwork) Interlocked.Decrement(ref _ofNetwork[share.Network]);
        }
        Interlocked.Decrement(ref _ofClient[share.Client]);
        return false;
    }

    /// <summary>Whether a client, or its network, waits for more answers than there is room left.</summary>
    internal bool IsAbove(ClientShare share, int room) => Volatile.Read(ref _ofClient[share.Client]) > room
        || share.HasNetwork && Volatile.Read(ref _ofNetwork[share.Network]) > room;

    internal void Return(ClientShare share)
    {
        Interlocked.Decrement(ref _ofClient[share.Client]);
        if (share.HasNetwork) Interlocked.Decrement(ref _ofNetwork[share.Network]);
        Interlocked.Decrement(ref _ofQuestion[share.Question]);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryCount(ref int counter, int limit)
    {
        if (Interlocked.Increment(ref counter) <= limit) return true;
        Interlocked.Decrement(ref counter);
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ClientShare ShareOf(ref ClientAddress client, bool isProven, ulong question)
    {
        ReadOnlySpan<ulong> halves = MemoryMarshal.Cast<byte, ulong>(client.Address);
        // Two seeds, not one with a bit set: that bit would be equal to one of an address.
        ulong hash = isProven ? _provenSeed : _seed;
        bool hasNetwork = !client.IsIPv4;
        if (hasNetwork) hash = Mix(hash ^ halves[0]);
        int network = IndexOf(hash);
        hash = Mix(hash ^ BinaryPrimitives.ReverseEndianness(halves[1]));
        int ofClient = IndexOf(hash);
        return new(ofClient, hasNetwork ? network : Counters + ofClient, IndexOf(Mix(hash ^ question)));
    }

    private static int IndexOf(ulong hash) => (int)hash & (Counters - 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong value)
    {
        ulong hash = Math.BigMul(value, 0x9E3779B97F4A7C15, out ulong low) ^ low;
        return BitOperations.RotateLeft(hash, 17) ^ hash;
    }
}
