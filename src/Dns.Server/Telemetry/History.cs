using Dns.Answering;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>What happened in one step of the <see cref="History"/>.</summary>
/// <param name="Queries">Messages that came.</param>
/// <param name="NameErrors">Answers NXDOMAIN.</param>
/// <param name="Failures">Answers SERVFAIL.</param>
/// <param name="MedianSeconds">The time that half of the answers took less than; 0 if there was none.</param>
/// <param name="SlowSeconds">The time that 99 of 100 answers took less than; 0 if there was none.</param>
internal readonly record struct HistoryStep(
    long Queries, long NameErrors, long Failures, double MedianSeconds, double SlowSeconds);

/// <summary>The last hour in steps of five seconds, in a ring of fixed size. One thread adds, any may read.</summary>
internal sealed class History(ServerSources sources)
{
    /// <summary>How long a step is.</summary>
    public static readonly TimeSpan Step = TimeSpan.FromSeconds(5);

    /// <summary>How many steps are kept.</summary>
    public const int Steps = 720;

    private readonly Lock _gate = new();
    private readonly HistoryStep[] _ring = new HistoryStep[Steps];
    private readonly long[] _classes = new long[TimeClasses.Count];
    private long _queries, _nameErrors, _failures;
    private int _next, _count;

    /// <summary>Adds the step that ends now.</summary>
    public void Add()
    {
        AnswerTally tally = sources.Answers.Read();
        long queries = sources.ReadUdp().Received + sources.Listeners.ReadTcpCounters().Received;
        long nameErrors = Sum(tally, Rcode.NXDomain), failures = Sum(tally, Rcode.ServFail);
        long[] times = new long[TimeClasses.Count];
        if (sources.Watch is { } watch)
            foreach (AnswerWay way in Enum.GetValues<AnswerWay>())
                for (int i = 0; i < times.Length; i++) times[i] += watch.Read(way).Classes[i];
        lock (_gate)
        {
            for (int i = 0; i < times.Length; i++) (times[i], _classes[i]) = (times[i] - _classes[i], times[i]);
            _ring[_next] = new HistoryStep(
                queries - _queries, nameErrors - _nameErrors, failures - _failures,
                TimeClasses.QuantileSeconds(times, 0.5), TimeClasses.QuantileSeconds(times, 0.99));
            (_queries, _nameErrors, _failures) = (queries, nameErrors, failures);
            _next = (_next + 1) % Steps;
            _count = Math.Min(_count + 1, Steps);
        }
    }

    /// <summary>The steps, the oldest first.</summary>
    public IReadOnlyList<HistoryStep> Read()
    {
        lock (_gate)
        {
            HistoryStep[] steps = new HistoryStep[_count];
            for (int i = 0; i < _count; i++) steps[i] = _ring[(_next - _count + i + Steps) % Steps];
            return steps;
        }
    }

    private static long Sum(AnswerTally tally, Rcode rcode) =>
        tally.Answers(ResponseTransport.Datagram, rcode) + tally.Answers(ResponseTransport.Stream, rcode);
}
