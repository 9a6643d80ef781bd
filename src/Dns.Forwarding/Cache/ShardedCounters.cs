namespace Dns.Forwarding.Cache;

/// <summary>Events counted for each question.</summary>
internal enum CountedEvent : byte
{
    /// <summary>A fresh answer.</summary>
    Hit,

    /// <summary>No usable answer.</summary>
    Miss,

    /// <summary>A stale answer.</summary>
    Stale,

    /// <summary>A cached failure.</summary>
    Failure,
}

/// <summary>Counters sharded by thread, to avoid false sharing.</summary>
internal sealed class ShardedCounters
{
    private const int Shards = 32;

    // Two cache lines each, since processors prefetch pairs.
    private const int LongsPerShard = 16;

    private readonly long[] _counts = new long[(Shards + 1) * LongsPerShard];

    /// <summary>Counts one event; exact even if threads share a shard.</summary>
    public void Add(CountedEvent counted) => Interlocked.Increment(ref Count(counted));

    public void TakeBack(CountedEvent counted) => Interlocked.Decrement(ref Count(counted));

    private ref long Count(CountedEvent counted) =>
        ref _counts[(Environment.CurrentManagedThreadId & (Shards - 1)) * LongsPerShard + (int)counted + 8];

    public long Sum(CountedEvent counted)
    {
        long sum = 0;
        for (int i = 0; i < Shards; i++) sum += Volatile.Read(ref _counts[i * LongsPerShard + (int)counted + 8]);
        return sum;
    }
}
