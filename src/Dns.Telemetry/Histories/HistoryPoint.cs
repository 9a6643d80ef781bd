namespace Dns.Telemetry.Histories;

/// <summary>The counters of the server at one moment, which only rise: points can be subtracted. Immutable.</summary>
public sealed class HistoryPoint
{
    private readonly long[] _codes = new long[AnswerCounts.Codes];
    private readonly long[] _local = new long[TimeClasses.Count], _forwarded = new long[TimeClasses.Count];

    public long Timestamp { get; private init; }

    /// <summary>Messages received.</summary>
    public long Queries { get; private init; }

    public long KernelDrops { get; private init; }

    /// <summary>Records of answers that were not written.</summary>
    public long LostRecords { get; private init; }

    /// <summary>Processor time of all threads.</summary>
    public TimeSpan Cpu { get; private init; }

    /// <summary>What the cache has counted; zero without one.</summary>
    public CacheCounters Cache { get; private init; }

    /// <summary>Answers by RCODE, over all transports.</summary>
    public ReadOnlySpan<long> Codes => _codes;

    /// <summary>Answers that waited for no upstream, by <see cref="TimeClasses"/>.</summary>
    public ReadOnlySpan<long> Local => _local;

    /// <summary>Answers that waited for an upstream, by <see cref="TimeClasses"/>.</summary>
    public ReadOnlySpan<long> Forwarded => _forwarded;

    public static HistoryPoint Read(ServerSources sources, TimeProvider clock)
    {
        HistoryPoint point = new()
        {
            Timestamp = clock.GetTimestamp(),
            Queries = sources.ReadUdp().Received + sources.Listeners.ReadTcpCounters().Received,
            KernelDrops = sources.ReadUdp().KernelDrops,
            LostRecords = sources.Recorders.Sum(one => one.Recorder.Lost),
            Cpu = Environment.CpuUsage.TotalTime,
            Cache = sources.Forwarder?.Cache.Counters ?? default,
        };
        AnswerCounts counts = sources.Answers.Read();
        for (int code = 0; code < AnswerCounts.Codes; code++) point._codes[code] = counts.Answers((Rcode)code);
        if (sources.AnswerTimes is not { } answerTimes) return point;
        foreach (AnswerOrigin source in Enum.GetValues<AnswerOrigin>())
        {
            long[] sum = source == AnswerOrigin.Forwarded ? point._forwarded : point._local,
                times = answerTimes.Read(source).Classes;
            for (int i = 0; i < times.Length; i++) sum[i] += times[i];
        }
        return point;
    }
}
