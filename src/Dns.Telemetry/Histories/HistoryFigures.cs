namespace Dns.Telemetry.Histories;

/// <summary>What happened between two points of the history, as operators read it. Rates are 0 to 1.</summary>
public readonly struct HistoryFigures(HistoryPoint from, HistoryPoint to, TimeProvider clock)
{
    public double Seconds => clock.GetElapsedTime(from.Timestamp, to.Timestamp).TotalSeconds;

    public double QueriesPerSecond => Seconds > 0 ? (to.Queries - from.Queries) / Seconds : 0;

    /// <summary>The share of answers that were SERVFAIL; null without an answer.</summary>
    public double? ServFailRate => RateOf(Rcode.ServFail);

    /// <summary>The share of answers that were NXDOMAIN; null without an answer.</summary>
    public double? NameErrorRate => RateOf(Rcode.NXDomain);

    public double ServFailsPerSecond => Seconds > 0 ? Answers(Rcode.ServFail) / Seconds : 0;

    /// <summary>The share of cache lookups that found a fresh answer; null without a lookup.</summary>
    public double? HitRatio => CacheLookups is > 0 and var all ? (to.Cache.Hits - from.Cache.Hits) / (double)all : null;

    /// <summary>Expired answers sent because the upstreams did not answer.</summary>
    public long Stale => to.Cache.Stale - from.Cache.Stale;

    /// <summary>Entries evicted from the cache before they expired.</summary>
    public long Evicted => to.Cache.Evicted - from.Cache.Evicted;

    /// <summary>Processor time a second: 1 is one core.</summary>
    public double CpuShare => Seconds > 0 ? (to.Cpu - from.Cpu).TotalSeconds / Seconds : 0;

    public long KernelDrops => to.KernelDrops - from.KernelDrops;

    public long LostRecords => to.LostRecords - from.LostRecords;

    public long Answers(Rcode code) => to.Codes[(int)code] - from.Codes[(int)code];

    /// <summary>Quantile of the latency of answers that waited for no upstream, in seconds; null without one.</summary>
    public double? LocalSeconds(double share) => Quantile(from.Local, to.Local, share);

    /// <summary>Quantile of the latency of answers that waited for an upstream, in seconds; null without one.</summary>
    public double? ForwardedSeconds(double share) => Quantile(from.Forwarded, to.Forwarded, share);

    private long CacheLookups =>
        to.Cache.Hits + to.Cache.Misses + to.Cache.Stale - from.Cache.Hits - from.Cache.Misses - from.Cache.Stale;

    private double? RateOf(Rcode code)
    {
        long all = 0;
        for (int i = 0; i < AnswerCounts.Codes; i++) all += Answers((Rcode)i);
        return all > 0 ? Answers(code) / (double)all : null;
    }

    private static double? Quantile(ReadOnlySpan<long> from, ReadOnlySpan<long> to, double share)
    {
        Span<long> counts = stackalloc long[TimeClasses.Count];
        bool isEmpty = true;
        for (int i = 0; i < counts.Length; i++)
        {
            // Counters of another thread may be read a little apart.
            counts[i] = Math.Max(0, to[i] - from[i]);
            isEmpty &= counts[i] == 0;
        }
        return isEmpty ? null : TimeClasses.QuantileSeconds(counts, share);
    }
}
