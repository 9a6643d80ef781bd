namespace Dns.Bench;

/// <summary>What came of a load.</summary>
internal sealed class LoadResult
{
    internal long Sent;
    internal long Answered;
    internal long Lost;
    internal long Wrong;

    /// <summary>Datagrams that belong to no query on its way: late, doubled, or not ours.</summary>
    internal long Stray;

    /// <summary>Queries that the generator came too late for and left out.</summary>
    internal long LeftOut;

    internal double Seconds;

    internal LatencyHistogram Latency { get; } = new();

    internal double PerSecond => Answered / Seconds;

    /// <summary>A latency percentile in microseconds.</summary>
    internal double Microseconds(double share) => Latency.Percentile(share) / 1000;
}
