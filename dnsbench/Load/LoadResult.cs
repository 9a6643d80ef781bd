namespace Dns.Bench;

/// <summary>The result of a load.</summary>
internal sealed class LoadResult
{
    internal long Sent;
    internal long Answered;
    internal long Lost;
    internal long Wrong;

    /// <summary>Datagrams that match no query in flight: late, duplicate, or foreign.</summary>
    internal long Stray;

    /// <summary>Queries skipped by a late generator.</summary>
    internal long LeftOut;

    internal double Seconds;

    internal LatencyHistogram Latency { get; } = new();

    internal double PerSecond => Answered / Seconds;

    /// <summary>A latency percentile in microseconds.</summary>
    internal double Microseconds(double share) => Latency.Percentile(share) / 1000;
}
