using System.Numerics;

namespace Dns.Bench;

/// <summary>
/// Latencies in buckets that grow with the value: at most 1.6 per cent wide, from a nanosecond to hours, 30
/// KB.
/// </summary>
internal sealed class LatencyHistogram
{
    private const int SubBits = 6;
    private const int SubBuckets = 1 << SubBits;
    private readonly long[] _counts = new long[(64 - SubBits) * SubBuckets];

    internal long Count { get; private set; }

    /// <summary>Adds one latency in nanoseconds.</summary>
    internal void Add(long nanoseconds)
    {
        _counts[BucketOf((ulong)Math.Max(0, nanoseconds))]++;
        Count++;
    }

    /// <summary>The latency in nanoseconds below which this share of all lies; 0 without any.</summary>
    /// <param name="share">0 to 1.</param>
    internal double Percentile(double share)
    {
        long wanted = (long)Math.Ceiling(share * Count), seen = 0;
        for (int i = 0; i < _counts.Length; i++)
        {
            seen += _counts[i];
            if (seen >= wanted && seen > 0) return (LowestOf(i) + LowestOf(i + 1)) / 2.0;
        }
        return 0;
    }

    /// <summary>Adds everything of another histogram.</summary>
    internal void Add(LatencyHistogram other)
    {
        for (int i = 0; i < _counts.Length; i++) _counts[i] += other._counts[i];
        Count += other.Count;
    }

    private static int BucketOf(ulong value)
    {
        if (value < SubBuckets) return (int)value;
        int shift = BitOperations.Log2(value) - SubBits;
        return ((shift + 1) << SubBits) + (int)(value >> shift) - SubBuckets;
    }

    private static double LowestOf(int bucket)
    {
        int shift = (bucket >> SubBits) - 1;
        if (shift < 0) return bucket;
        return (double)((ulong)(bucket & (SubBuckets - 1)) + SubBuckets) * Math.Pow(2, shift);
    }
}
