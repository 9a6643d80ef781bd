using System.Numerics;
using System.Runtime.InteropServices;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>
/// A table of token buckets in one array whose size never changes, whatever is looked up. A bucket is refilled once a second.
/// </summary>
/// <remarks>
/// Eight buckets that a hash may use lie in one cache line. A new hash takes the place of the bucket among them that has
/// been left alone longest, and of those used in this second of the one that has most tokens left: a flood of sources
/// that come once does not wash out one that is over its limit. Changed by compare-and-swap; no locks.
/// <code>
/// 63           40 39        22 21        6 5        0
/// +--------------+------------+-----------+----------+
/// | tag, 24 bits | second, 18 | tokens,16 | over, 6  |
/// +--------------+------------+-----------+----------+
/// </code>
/// The tag is never 0. Over counts what was refused since the last one that slipped.
/// </remarks>
internal sealed class RateBuckets
{
    private const int Ways = 8;
    private const int LineOctets = 64;
    private const int TagShift = 40, SecondShift = 22, TokenShift = 6;
    private const uint SecondMask = (1 << 18) - 1, TokenMask = (1 << 16) - 1, OverMask = (1 << 6) - 1;

    private readonly ulong[] _buckets;
    private readonly int _first;
    private readonly int _setMask;

    /// <param name="buckets">How many at least.</param>
    internal RateBuckets(int buckets)
    {
        int sets = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, (buckets + Ways - 1) / Ways));
        _setMask = sets - 1;
        _buckets = GC.AllocateArray<ulong>((sets + 1) * Ways, pinned: true);
        nint misplaced = Marshal.UnsafeAddrOfPinnedArrayElement(_buckets, 0) & (LineOctets - 1);
        _first = (int)(misplaced == 0 ? 0 : (LineOctets - misplaced) / sizeof(ulong));
    }

    /// <summary>Memory taken, in octets.</summary>
    internal long MemoryBytes => _buckets.Length * (long)sizeof(ulong);

    /// <summary>Asks the processor for the buckets that a hash may use.</summary>
    internal void Prefetch(ulong hash) => MemoryHint.Prefetch(ref _buckets[SetOf(hash)]);

    /// <summary>Takes a token from the bucket of a hash.</summary>
    /// <param name="hash">Which bucket.</param>
    /// <param name="rate">Tokens a second, and the most that a bucket holds; 1 to 65,535.</param>
    /// <param name="second">The time; it may start anywhere and wraps.</param>
    /// <param name="slip">One in so many refusals slips; 0 = none.</param>
    /// <param name="slips">Whether this refusal is one of those.</param>
    /// <returns>False if the bucket is empty.</returns>
    internal bool TryTake(ulong hash, int rate, uint second, int slip, out bool slips)
    {
        Span<ulong> set = _buckets.AsSpan(SetOf(hash), Ways);
        ulong tag = hash >> TagShift | 1;
        // Other threads may change the bucket meanwhile. Each failure to swap is a success of another thread, so one always goes on.
        while (true)
        {
            ref ulong bucket = ref Find(set, tag, second, out ulong seen);
            long tokens = rate;
            uint over = 0;
            if (seen >> TagShift == tag)
            {
                tokens = Math.Min(rate, Tokens(seen) + (long)Elapsed(seen, second) * rate);
                over = (uint)seen & OverMask;
            }
            bool passes = tokens > 0;
            slips = !passes && slip > 0 && ++over >= slip;
            ulong changed = tag << TagShift | (ulong)(second & SecondMask) << SecondShift
                | (ulong)(passes ? tokens - 1 : 0) << TokenShift | (slips ? 0 : over & OverMask);
            if (Interlocked.CompareExchange(ref bucket, changed, seen) == seen) return passes;
        }
    }

    private int SetOf(ulong hash) => _first + ((int)hash & _setMask) * Ways;

    /// <summary>
    /// The bucket of a tag, or the one to give it. Both are chosen from one reading of the set: two threads that see a tag for the
    /// first time choose the same bucket, and one of them finds the other's in it.
    /// </summary>
    private static ref ulong Find(Span<ulong> set, ulong tag, uint second, out ulong seen)
    {
        int oldest = 0;
        ulong most = 0, seenOldest = 0;
        for (int i = 0; i < set.Length; i++)
        {
            seen = Volatile.Read(ref set[i]);
            if (seen >> TagShift == tag) return ref set[i];
            ulong idle = seen == 0 ? ulong.MaxValue : (ulong)Elapsed(seen, second) << 16 | (uint)Tokens(seen);
            if (idle <= most && i > 0) continue;
            most = idle;
            oldest = i;
            seenOldest = seen;
        }
        seen = seenOldest;
        return ref set[oldest];
    }

    private static int Tokens(ulong bucket) => (int)(bucket >> TokenShift & TokenMask);

    /// <summary>Whole seconds since the bucket was used; 0 if another thread, a moment ahead, used it in the next one.</summary>
    private static uint Elapsed(ulong bucket, uint second)
    {
        uint elapsed = second - (uint)(bucket >> SecondShift) & SecondMask;
        return elapsed == SecondMask ? 0 : elapsed;
    }
}
