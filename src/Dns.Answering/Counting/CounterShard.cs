namespace Dns.Answering.Counting;

/// <summary>Assigns counter shards to threads, which avoids false sharing.</summary>
internal static class CounterShard
{
    /// <summary>The number of shards. More threads than that share shards, and may rarely lose a count.</summary>
    internal const int Count = 128;

    private static int _threads;

    /// <summary>The next shard, 0 to 127.</summary>
    internal static int Assign() => (int)((uint)(Interlocked.Increment(ref _threads) - 1) % Count);
}
