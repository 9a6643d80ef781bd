namespace Dns.Replication.Update;

/// <summary>Counters of UPDATE messages by result. Thread-safe.</summary>
public sealed class UpdateCounters
{
    private readonly long[] _counts = new long[Enum.GetValues<UpdateResult>().Length];

    /// <summary>The number of messages with a result.</summary>
    public long Of(UpdateResult result) => Volatile.Read(ref _counts[(int)result]);

    internal void Count(UpdateResult result) => Interlocked.Increment(ref _counts[(int)result]);
}
