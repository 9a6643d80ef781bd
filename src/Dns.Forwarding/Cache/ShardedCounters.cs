namespace Dns.Forwarding;

/// <summary>What is counted for each question.</summary>
internal enum CountedEvent : byte
{
    /// <summary>A fresh answer was given.</summary>
    Hit,

    /// <summary>There was none.</summary>
    Miss,

    /// <summary>An expired answer was given.</summary>
    Stale,

    /// <summary>A kept failure was given.</summary>
    Failure,
}

/// <summary>Counters for many threads: each counts in a cache line of its own, as long as there are not more than shards.</summary>
internal sealed class ShardedCounters
{
    private const int Shards = 32;

    // Two lines for each: processors fetch pairs.
    private const int LongsPerShard = 16;

    private readonly long[] _counts = new long[(Shards + 1) * LongsPerShard];

    /// <summary>Counts one event; exact also where two threads share a shard.</summary>
    public void Add(CountedEvent counted) => Interlocked.Increment(ref Count(counted));

    /// <summary>Takes an event back that turned out to be another.</summary>
    public void TakeBack(CountedEvent counted) => Interlocked.Decrement(ref Count(counted));

    private ref long Count(CountedEvent counted) =>
        ref _counts[(Environment.CurrentManagedThreadId & (Shards - 1)) * LongsPerShard + (int)counted + 8];

    /// <summary>All of one kind so far.</summary>
    public long Sum(CountedEvent counted)
    {
        long sum = 0;
        for (int i = 0; i < Shards; i++) sum += Volatile.Read(ref _counts[i * LongsPerShard + (int)counted + 8]);
        return sum;
    }
}
