namespace Dns.Telemetry.Histories;

/// <summary>
/// The counters of the last hour every five seconds, and of the time since the start at intervals that double when the
/// room is full. Bounded; one thread adds, any may read.
/// </summary>
public sealed class History
{
    public static readonly TimeSpan Step = TimeSpan.FromSeconds(5);

    public const int Steps = 720;

    /// <summary>The most points that are given for a range, its two ends included.</summary>
    public const int MaxPoints = 242;

    private const int StepsOfFiveMinutes = 60;
    private const int StepsPerBar = 4; // 20 s of the hour
    private const int MostSinceStart = 240;

    private readonly Lock _gate = new();
    private readonly ServerSources _sources;
    private readonly TimeProvider _clock;
    private readonly HistoryPoint[] _hour = new HistoryPoint[Steps + 1];
    private readonly List<HistoryPoint> _sinceStart = new(MostSinceStart);
    private int _added;
    private int _stride = 1;

    public History(ServerSources sources, TimeProvider clock)
    {
        (_sources, _clock, Started) = (sources, clock, clock.GetTimestamp());
        Add();
    }

    /// <summary>The timestamp of its beginning, which is the start of the server.</summary>
    public long Started { get; }

    public void Add()
    {
        HistoryPoint point = HistoryPoint.Read(_sources, _clock);
        lock (_gate)
        {
            if (_added % _stride == 0)
            {
                if (_sinceStart.Count == MostSinceStart) Thin();
                // The point is one of the thinner ones, since their number is even.
                _sinceStart.Add(point);
            }
            _hour[_added++ % _hour.Length] = point;
        }
    }

    /// <summary>The points of a range, the oldest first; the last is of this moment. At least two.</summary>
    public IReadOnlyList<HistoryPoint> Read(HistoryRange range)
    {
        HistoryPoint now = HistoryPoint.Read(_sources, _clock);
        lock (_gate)
        {
            return range switch
            {
                HistoryRange.FiveMinutes => [.. Latest(StepsOfFiveMinutes, 1), now],
                HistoryRange.Hour => [.. Latest(Steps, StepsPerBar), now],
                _ => [.. _sinceStart, now],
            };
        }
    }

    private void Thin()
    {
        for (int i = 0; i < MostSinceStart / 2; i++) _sinceStart[i] = _sinceStart[2 * i];
        _sinceStart.RemoveRange(MostSinceStart / 2, MostSinceStart / 2);
        _stride *= 2;
    }

    /// <summary>Points whose numbers are multiples of a stride: consecutive readings then give the same ones.</summary>
    private IEnumerable<HistoryPoint> Latest(int steps, int stride)
    {
        int first = Math.Max(0, _added - 1 - steps);
        for (int i = (first + stride - 1) / stride * stride; i < _added; i += stride)
            yield return _hour[i % _hour.Length];
    }
}
