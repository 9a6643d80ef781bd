using System.Numerics;

namespace Dns.Answering.RateLimiting;

/// <summary>Token buckets in one array of fixed size. A bucket is refilled once a second.</summary>
/// <remarks>
/// A hash may use eight buckets, which share a cache line. A new hash evicts the least recently used of them; among
/// those used in this second, the one with most tokens left. A flood of sources that appear once thus does not evict a
/// source over its limit. Updated by compare-and-swap; no locks.
/// <code>
/// 63           40 39        22 21        6 5        0
/// +--------------+------------+-----------+----------+
/// | tag, 24 bits | second, 18 | tokens,16 | over, 6  |
/// +--------------+------------+-----------+----------+
/// </code>
/// The tag is never 0. Over counts refusals since the last slip.
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

    /// <param name="buckets">The minimum number of buckets.</param>
    internal RateBuckets(int buckets)
    {
        int sets = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, (buckets + Ways - 1) / Ways));
        _setMask = sets - 1;
        _buckets = GC.AllocateArray<ulong>((sets + 1) * Ways, pinned: true);
        nint misplaced = Marshal.UnsafeAddrOfPinnedArrayElement(_buckets, 0) & (LineOctets - 1);
        _first = (int)(misplaced == 0 ? 0 : (LineOctets - misplaced) / sizeof(ulong));
    }

    internal long MemoryBytes => _buckets.Length * (long)sizeof(ulong);

    internal void Prefetch(ulong hash) => MemoryHint.Prefetch(ref _buckets[SetOf(hash)]);

    /// <summary>Takes a token from the bucket of a hash.</summary>
    /// <param name="rate">Tokens a second, and the capacity of a bucket; 1 to 65,535.</param>
    /// <param name="second">The time in seconds, from any start; wraps.</param>
    /// <param name="slip">One of this many refusals slips; 0 = none.</param>
    /// <returns>False if the bucket is empty.</returns>
    internal bool TryTake(ulong hash, int rate, uint second, int slip, out bool slips)
    {
        Span<ulong> set = _buckets.AsSpan(SetOf(hash), Ways);
        ulong tag = hash >> TagShift | 1;
        // Lock-free: each failed swap is a success of another thread.
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
    /// The bucket of a tag, or the one to evict for it. Both are chosen from one read of the set, so two threads that
    /// see a tag for the first time choose the same bucket, and one of them finds the other's tag in it.
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

    /// <summary>Seconds since the bucket was used; 0 if another thread already used it in the next second.</summary>
    private static uint Elapsed(ulong bucket, uint second)
    {
        uint elapsed = second - (uint)(bucket >> SecondShift) & SecondMask;
        return elapsed == SecondMask ? 0 : elapsed;
    }
}
