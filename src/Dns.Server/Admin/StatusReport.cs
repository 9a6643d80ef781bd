using Dns.Answering;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>Reads the state of the server for the status page.</summary>
internal sealed class StatusReport(
    ServerSources sources, History history, StatusWarnings warnings, RecentErrors errors, LiveResponder responder, TimeProvider clock)
{
    private const int MostTop = 20;

    // A step of less says nothing of a rate.
    private const double LeastSeconds = 1;

    // By timestamps: a clock that is set does not change how long the server has been up.
    private readonly long _started = clock.GetTimestamp();

    /// <summary>Reads it.</summary>
    /// <param name="query">The range and the zones that are asked for.</param>
    /// <param name="zonesOfPage">The zones of a page of the list.</param>
    public StatusSnapshot Read(StatusQuery query, int zonesOfPage)
    {
        IReadOnlyList<HistoryPoint> points = history.Read(query.Range);
        IReadOnlyList<HistoryPoint> hour = query.Range == HistoryRange.Hour ? points : history.Read(HistoryRange.Hour);
        IReadOnlyList<HistoryPoint> recent = query.Range == HistoryRange.FiveMinutes ? points : history.Read(HistoryRange.FiveMinutes);
        HistoryPoint now = points[^1];
        HistoryFigures figures = new(points[0], now, clock);
        AnswerTally tally = sources.Answers.Read();
        return new StatusSnapshot
        {
            Now = clock.GetUtcNow(),
            Uptime = clock.GetElapsedTime(_started),
            Identity = responder.Current.Options.Identity,
            Listen = [.. sources.Listeners.EndPoints.Select(endPoint => endPoint.ToString())],
            Warnings = warnings.Read(new HistoryFigures(hour[0], hour[^1], clock)),
            Range = query.Range,
            RangeLength = LengthOf(query.Range, figures),
            Figures = figures,
            Latest = new HistoryFigures(recent[Math.Max(0, recent.Count - 3)], recent[^1], clock),
            Steps = StepsOf(points),
            Udp = sources.ReadUdp(),
            Tcp = sources.Listeners.ReadTcpCounters(),
            Codes = CodesOf(figures),
            Types = TypesOf(tally),
            Truncated = tally.Truncated,
            AnswerOctets = tally.Octets,
            ZoneTotals = sources.Zones.Totals(),
            Zones = ZonePage.Of(sources.Zones.Read(), query.Zones, query.Page, zonesOfPage),
            Upstreams = sources.Forwarder?.Upstreams,
            Cache = sources.Forwarder?.Cache.Counters ?? default,
            InFlight = sources.Forwarder?.InFlight ?? 0,
            Names = sources.Watch?.Top.ReadNames(MostTop) ?? [],
            Clients = sources.Watch?.Top.ReadClients(MostTop) ?? [],
            Log = errors.Read(),
        };
    }

    private static TimeSpan LengthOf(HistoryRange range, HistoryFigures figures) => range switch
    {
        HistoryRange.FiveMinutes => TimeSpan.FromMinutes(5),
        HistoryRange.Hour => TimeSpan.FromHours(1),
        _ => TimeSpan.FromSeconds(Math.Max(1, figures.Seconds)),
    };

    private List<(double, HistoryFigures)> StepsOf(IReadOnlyList<HistoryPoint> points)
    {
        List<(double, HistoryFigures)> steps = new(points.Count);
        for (int i = 1; i < points.Count; i++)
        {
            HistoryFigures step = new(points[i - 1], points[i], clock);
            double ago = clock.GetElapsedTime(points[i].Timestamp, points[^1].Timestamp).TotalSeconds;
            if (step.Seconds >= LeastSeconds) steps.Add((ago, step));
        }
        return steps;
    }

    private static NamedCount[] TypesOf(AnswerTally tally) =>
        [.. ServerMeter.CountedTypes(tally).Select(one => new NamedCount(one.Type, one.Count)).OrderByDescending(one => one.Count)];

    private static NamedCount[] CodesOf(HistoryFigures figures) =>
    [
        .. Enumerable.Range(0, AnswerTally.Codes).Select(code => (Rcode)code)
            .Select(code => new NamedCount(RcodeText.Format(code), figures.Answers(code)))
            .Where(one => one.Count > 0).OrderByDescending(one => one.Count),
    ];
}
