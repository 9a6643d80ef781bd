namespace Dns.Replication;

/// <summary>How many UPDATE messages came to what. Thread-safe.</summary>
public sealed class UpdateCounters
{
    private readonly long[] _counts = new long[Enum.GetValues<UpdateResult>().Length];

    /// <summary>How many came to a result since the start.</summary>
    public long Of(UpdateResult result) => Volatile.Read(ref _counts[(int)result]);

    internal void Count(UpdateResult result) => Interlocked.Increment(ref _counts[(int)result]);
}
