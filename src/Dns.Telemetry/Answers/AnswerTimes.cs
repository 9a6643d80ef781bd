namespace Dns.Telemetry.Answers;

/// <summary>
/// The latency of answers, and samples of them for the lists of top names and clients. Each thread has its own counts;
/// a batch costs two readings of the clock. Allocates nothing for a query, and never waits.
/// </summary>
public sealed class AnswerTimes
{
    /// <summary>The number of values of <see cref="AnswerOrigin"/>.</summary>
    internal const int Sources = 3;

    private const int Shards = 128;

    /// <summary>Least time between two samples of a thread; each stands for all queries since the one before.</summary>
    private static readonly TimeSpan SampleInterval = TimeSpan.FromMilliseconds(1);

    private static int _threads;

    // One more than the number: 0 stands for a thread without one.
    [ThreadStatic]
    private static int _shard;

    private readonly TimedThread?[] _shards = new TimedThread?[Shards];
    private readonly TimeProvider _clock;
    private readonly IAnswerObserver[] _observers;
    private readonly long _sampleTicks;
    private readonly double _nanosecondsPerTick;

    public AnswerTimes(TimeProvider clock, params IAnswerObserver[] observers)
    {
        _clock = clock;
        _observers = observers;
        _nanosecondsPerTick = 1e9 / clock.TimestampFrequency;
        _sampleTicks = (long)(SampleInterval.TotalSeconds * clock.TimestampFrequency);
    }

    public TopClients Top { get; } = new();

    /// <summary>Receives exceptions of telemetry, which never affect answers.</summary>
    public IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    /// <summary>Makes spans of forwarded queries; null = off.</summary>
    public ForwardingTraces? Traces { get; init; }

    /// <summary>Sees an answered batch; the length of an answer is 0 where there is none, or none yet.</summary>
    public void OnDatagrams(scoped in DatagramBatch batch)
    {
        try
        {
            RecordDatagrams(in batch);
        }
        catch (Exception error)
        {
            Exceptions.Report(TelemetryLoops.AnswerWatch, error, default);
        }
    }

    private void RecordDatagrams(scoped in DatagramBatch batch)
    {
        long ended = _clock.GetTimestamp();
        TimedThread thread = Current;
        ReadOnlySpan<int> lengths = batch.Lengths;
        int answers = 0;
        foreach (int length in lengths) answers += length > 0 ? 1 : 0;
        // The answers of a batch go together, when the last of them is ready.
        if (answers > 0) thread.Count(AnswerOrigin.Datagram, Nanoseconds(ended - batch.Now), answers);
        if (_observers.Length > 0)
            Observe(in batch, new AnswerFacts(AnswerOrigin.Datagram, DnsTransport.Udp, batch.Now, ended));
        thread.SinceSample += answers;
        if (answers == 0 || ended - thread.SampledAt < _sampleTicks) return;
        // Whichever: the low bits of the clock choose.
        int chosen = (int)((ulong)ended % (uint)lengths.Length);
        while (lengths[chosen] == 0) chosen = (chosen + 1) % lengths.Length;
        Sample(thread, batch.Slot(chosen)[..lengths[chosen]], ref batch.Clients[chosen], ended);
    }

    /// <summary>Observes the answer to a forwarded query.</summary>
    public void OnForwarded(ReadOnlySpan<byte> answer, ref QueryOrigin origin, ReadOnlySpan<TryReport> tries)
    {
        OnAnswer(answer, ref origin, AnswerOrigin.Forwarded);
        try
        {
            AnswerFacts facts = new(AnswerOrigin.Forwarded, origin.Transport, origin.Now, _clock.GetTimestamp());
            Traces?.OnAnswer(answer, ref origin.Client, in facts, tries);
        }
        catch (Exception error)
        {
            Exceptions.Report(TelemetryLoops.AnswerWatch, error, answer);
        }
    }

    /// <summary>Sees an answer that went alone.</summary>
    public void OnAnswer(ReadOnlySpan<byte> answer, ref QueryOrigin origin, AnswerOrigin source)
    {
        try
        {
            RecordAnswer(answer, ref origin, source);
        }
        catch (Exception error)
        {
            Exceptions.Report(TelemetryLoops.AnswerWatch, error, answer);
        }
    }

    private void RecordAnswer(ReadOnlySpan<byte> answer, ref QueryOrigin origin, AnswerOrigin source)
    {
        long ended = _clock.GetTimestamp();
        AnswerFacts facts = new(source, origin.Transport, origin.Now, ended);
        foreach (IAnswerObserver observer in _observers) observer.OnAnswer(answer, ref origin.Client, in facts);
        TimedThread thread = Current;
        thread.Count(source, Nanoseconds(ended - origin.Now), 1);
        thread.SinceSample++;
        if (ended - thread.SampledAt >= _sampleTicks) Sample(thread, answer, ref origin.Client, ended);
    }

    /// <summary>The times of all threads.</summary>
    public TimeCounts Read(AnswerOrigin source)
    {
        TimeCounts sum = new();
        foreach (TimedThread? thread in _shards) thread?.AddTo(sum, source);
        return sum;
    }

    private TimedThread Current
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            int shard = _shard;
            return shard > 0 && _shards[shard - 1] is { } thread ? thread : Assign();
        }
    }

    private TimedThread Assign()
    {
        if (_shard == 0) _shard = 1 + (int)((uint)(Interlocked.Increment(ref _threads) - 1) % Shards);
        ref TimedThread? slot = ref _shards[_shard - 1];
        TimedThread made = new() { SampledAt = _clock.GetTimestamp() - _sampleTicks };
        return Interlocked.CompareExchange(ref slot, made, null) ?? made;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long Nanoseconds(long ticks) => (long)(ticks * _nanosecondsPerTick);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Observe(scoped in DatagramBatch batch, AnswerFacts facts)
    {
        for (int i = 0; i < batch.Count; i++)
            if (batch.Lengths[i] is > 0 and int length)
                foreach (IAnswerObserver observer in _observers)
                    observer.OnAnswer(batch.Slot(i)[..length], ref batch.Clients[i], in facts);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Sample(TimedThread thread, ReadOnlySpan<byte> answer, ref ClientAddress client, long at)
    {
        // Another thread may be in the table: then the next sample stands for these queries too.
        if (!Top.TryAdd(answer, ref client, thread.SinceSample)) return;
        thread.SinceSample = 0;
        thread.SampledAt = at;
    }
}
