namespace Dns.Management.Status;

/// <summary>Reads the status of the server for all interfaces. Thread-safe.</summary>
public sealed class StatusReader(
    ServerSources sources, History history, StatusWarnings warnings, RecentErrors errors, LiveResponder responder,
    LogLevels levels, IZoneControl control, TimeProvider clock, IFeatureStatus features)
{
    private const int MostTop = 20;

    // A shorter step gives no meaningful rate.
    private const double LeastSeconds = 1;

    public ServerStatus Read() => Read(sources.Zones.ReadTotals(), history.Read(HistoryRange.Hour));

    /// <summary>Reads it with a range of the past, and one page of the zones.</summary>
    public StatusPageModel Read(StatusQuery query, int zonesOfPage)
    {
        IReadOnlyList<HistoryPoint> points = history.Read(query.Range);
        IReadOnlyList<HistoryPoint> hour = query.Range == HistoryRange.Hour ? points : history.Read(HistoryRange.Hour);
        IReadOnlyList<HistoryPoint> recent =
            query.Range == HistoryRange.FiveMinutes ? points : history.Read(HistoryRange.FiveMinutes);
        HistoryFigures figures = new(points[0], points[^1], clock);
        return new StatusPageModel
        {
            Server = Read(sources.Zones.Totals(), hour),
            Range = query.Range,
            RangeLength = LengthOf(query.Range, figures),
            Figures = figures,
            Latest = new HistoryFigures(recent[Math.Max(0, recent.Count - 3)], recent[^1], clock),
            Steps = StepsOf(points),
            Rcodes = [.. CounterGroups.Rcodes(figures.Answers).OrderByDescending(one => one.Count)],
            Zones = ZonePage.Of(sources.Zones.Zones, query.Zones, query.Page, zonesOfPage, clock.GetUtcNow()),
            Names = sources.AnswerTimes?.Top.ReadNames(MostTop) ?? [],
            Clients = sources.AnswerTimes?.Top.ReadClients(MostTop) ?? [],
            Log = errors.Read(),
        };
    }

    private ServerStatus Read(ZoneTotals totals, IReadOnlyList<HistoryPoint> hour) => new()
    {
        Now = clock.GetUtcNow(),
        // By timestamps: setting the clock does not change the uptime.
        Uptime = clock.GetElapsedTime(history.Started),
        Identity = responder.Current.Options.Identity,
        SettingsFile = control.SettingsFile,
        Listening = [.. sources.Listeners.EndPoints.Select(endPoint => endPoint.ToString())],
        UdpListener = sources.Listeners.UdpListener,
        LogLevel = levels.Least.ToString(),
        IsLoaded = control.IsLoaded,
        Warnings = warnings.Read(totals, new HistoryFigures(hour[0], hour[^1], clock)),
        Zones = totals,
        Answers = sources.Answers.Read(),
        Views = ViewStatus.Of(responder.Current.Views, sources.Answers.Read(), sources.Forwarder?.Cache),
        Udp = sources.ReadUdp(),
        Tcp = sources.Listeners.ReadTcpCounters(),
        BadProxyDatagrams = sources.Listeners.BadProxyDatagrams,
        Counts = [.. features.Counts],
        Forwarding = ForwardingStatus.Of(sources.Forwarder),
    };

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
}
