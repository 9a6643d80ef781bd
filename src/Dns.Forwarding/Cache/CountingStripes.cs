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

/// <summary>Counters for many threads: each counts in a cache line of its own, as long as there are not more than stripes.</summary>
internal sealed class CountingStripes
{
    private const int Stripes = 32;

    // Two lines for each: processors fetch pairs.
    private const int LongsPerStripe = 16;

    private readonly long[] _counts = new long[(Stripes + 1) * LongsPerStripe];

    /// <summary>Counts one event; exact also where two threads share a stripe.</summary>
    public void Add(CountedEvent counted) => Interlocked.Increment(ref Count(counted));

    /// <summary>Takes an event back that turned out to be another.</summary>
    public void TakeBack(CountedEvent counted) => Interlocked.Decrement(ref Count(counted));

    private ref long Count(CountedEvent counted) =>
        ref _counts[(Environment.CurrentManagedThreadId & (Stripes - 1)) * LongsPerStripe + (int)counted + 8];

    /// <summary>All of one kind so far.</summary>
    public long Sum(CountedEvent counted)
    {
        long sum = 0;
        for (int i = 0; i < Stripes; i++) sum += Volatile.Read(ref _counts[i * LongsPerStripe + (int)counted + 8]);
        return sum;
    }
}
