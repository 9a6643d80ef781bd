namespace Dns.Telemetry.Answers;

/// <summary>Times and samples of the answers of one thread, its only writer.</summary>
public sealed class TimedThread
{
    private const int Padding = 16;
    private const int HistogramSize = TimeClasses.Count + 1;

    // Two cache lines of padding at either end against false sharing, as in AnswerCounts.
    private readonly long[] _counts = new long[Padding + HistogramSize * AnswerTimes.Sources + Padding];

    /// <summary>Queries seen since the last sample was taken.</summary>
    public int SinceSample { get; set; }

    /// <summary>The timestamp of the last sample.</summary>
    public long SampledAt { get; set; }

    /// <summary>Counts answers that took equally long.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Count(AnswerOrigin source, long nanoseconds, int answers)
    {
        int at = Padding + (int)source * HistogramSize;
        _counts[at + TimeClasses.Of(nanoseconds)] += answers;
        _counts[at + TimeClasses.Count] += nanoseconds * answers;
    }

    public void AddTo(TimeCounts sum, AnswerOrigin source)
    {
        int at = Padding + (int)source * HistogramSize;
        for (int i = 0; i < TimeClasses.Count; i++) sum.Classes[i] += Volatile.Read(ref _counts[at + i]);
        sum.Nanoseconds += Volatile.Read(ref _counts[at + TimeClasses.Count]);
    }
}
