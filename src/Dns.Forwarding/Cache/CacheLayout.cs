using System.Numerics;

namespace Dns.Forwarding.Cache;

/// <summary>How the bytes of a cache are divided into shards, and those into index, rings and ghost table.</summary>
/// <param name="SegmentBytes">Size of a segment: a power of two, the longest entry.</param>
/// <param name="SmallSegments">Segments of the small queue, a tenth.</param>
/// <param name="Ghosts">Fingerprints of evicted entries.</param>
internal readonly record struct CacheLayout(int SegmentBytes, int SmallSegments, int MainSegments,
    int Slots, int Ghosts)
{
    /// <summary>The runtime's overhead of an array, in bytes.</summary>
    public const int ArrayBytes = 24;

    private const int MaxShards = 16;
    private const long LeastShardBytes = 16 << 20;
    private const int LeastSegmentBytes = 16 << 10;
    private const int MostSegmentBytes = 1 << 20;

    // The minimum number of segments of the small queue: one is kept free, and one is being emptied.
    private const int LeastSmallSegments = 5;

    // An entry with one address and a short name takes 72 bytes; the average is well above 100.
    private const int EntryBytesPerSlot = 64;
    private const int EntryBytesPerGhost = 128;

    /// <summary>Bytes allocated from the start: the tables.</summary>
    public long FixedBytes => 8L * Slots + 4L * Ghosts + (8L + 4) * (SmallSegments + MainSegments) + 1024;

    /// <summary>The number of shards for a cache size: a power of two.</summary>
    public static int ShardCount(long maxBytes) =>
        (int)Math.Clamp(BitOperations.RoundUpToPowerOf2((ulong)(maxBytes / LeastShardBytes + 1)) / 2, 1, MaxShards);

    public static CacheLayout Divide(long shardBytes)
    {
        long part = (long)BitOperations.RoundUpToPowerOf2((ulong)(shardBytes / 128));
        int segment = (int)Math.Clamp(part, LeastSegmentBytes, MostSegmentBytes);
        // Each ring byte needs its part of the tables.
        double ringBytes = (shardBytes - 1024) / (1 + 8.0 / EntryBytesPerSlot + 4.0 / EntryBytesPerGhost);
        int segments = (int)Math.Min(ringBytes / (segment + ArrayBytes + 12), int.MaxValue / 2);
        int small = Math.Max(segments / 10, LeastSmallSegments);
        long bytes = (long)segments * segment;
        return new CacheLayout(segment, small, segments - small,
            (int)Math.Min(bytes / EntryBytesPerSlot, 1 << 28), (int)Math.Min(bytes / EntryBytesPerGhost, 1 << 28));
    }
}
