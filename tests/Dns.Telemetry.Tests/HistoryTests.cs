using Serilog;

namespace Dns.Telemetry.Tests;

public class HistoryTests
{
    private readonly TelemetrySources _sources = new();

    [Fact]
    public void A_step_has_the_times_of_its_own_answers_local_and_forwarded_apart()
    {
        History history = new(_sources.All, _sources.Clock);
        Answer(AnswerOrigin.Datagram, 1);
        Answer(AnswerOrigin.Stream, 1);
        history.Add();
        Answer(AnswerOrigin.Datagram, 100);
        Answer(AnswerOrigin.Forwarded, 2000);
        IReadOnlyList<HistoryPoint> points = history.Read(HistoryRange.FiveMinutes);
        Assert.Equal(3, points.Count);
        HistoryFigures first = Between(points[0], points[1]), second = Between(points[1], points[2]),
            all = Between(points[0], points[2]);
        Assert.InRange(first.LocalSeconds(0.99)!.Value, 0.0005, 0.0011);
        Assert.Null(first.ForwardedSeconds(0.5));
        Assert.InRange(second.LocalSeconds(0.5)!.Value, 0.06, 0.14);
        Assert.InRange(second.ForwardedSeconds(0.99)!.Value, 1, 2.2);
        Assert.InRange(all.LocalSeconds(0.5)!.Value, 0.0005, 0.0011);
        Assert.InRange(all.LocalSeconds(0.99)!.Value, 0.06, 0.14);
    }

    [Fact]
    public void Five_minutes_and_an_hour_are_kept_and_the_start_for_ever_in_bounded_room()
    {
        History history = new(_sources.All, _sources.Clock);
        for (int i = 0; i < 5000; i++)
        {
            _sources.Clock.Advance(History.Step.TotalMilliseconds);
            history.Add();
            foreach (HistoryRange range in Enum.GetValues<HistoryRange>())
                Assert.InRange(history.Read(range).Count, 2, History.MaxPoints);
        }
        Assert.Equal(300, SecondsOf(history, HistoryRange.FiveMinutes));
        Assert.InRange(SecondsOf(history, HistoryRange.Hour), 3600 - 15, 3600);
        Assert.Equal(25_000, SecondsOf(history, HistoryRange.Start));
        double[] steps = [.. history.Read(HistoryRange.Start)
            .Zip(history.Read(HistoryRange.Start).Skip(1), (a, b) => Between(a, b).Seconds)];
        Assert.Single(steps[..^1].Distinct());
        Assert.InRange(steps.Length, History.MaxPoints / 4, History.MaxPoints);
    }

    [Fact]
    public void Points_of_the_hour_are_the_same_from_one_reading_to_the_next()
    {
        History history = new(_sources.All, _sources.Clock);
        for (int i = 0; i < 900; i++) history.Add();
        IReadOnlyList<HistoryPoint> before = history.Read(HistoryRange.Hour);
        history.Add();
        IReadOnlyList<HistoryPoint> after = history.Read(HistoryRange.Hour);
        Assert.InRange(before.SkipLast(1).Intersect(after).Count(), before.Count - 2, before.Count - 1);
    }

    private double SecondsOf(History history, HistoryRange range) =>
        Between(history.Read(range)[0], history.Read(range)[^1]).Seconds;

    private HistoryFigures Between(HistoryPoint from, HistoryPoint to) => new(from, to, _sources.Clock);

    private void Answer(AnswerOrigin source, double milliseconds)
    {
        ClientAddress client = default;
        for (int i = 0; i < 100; i++)
        {
            long began = _sources.Clock.GetTimestamp();
            _sources.Clock.Advance(milliseconds);
            QueryOrigin origin = new(in client, DnsTransport.Udp, began);
            _sources.AnswerTimes.OnAnswer(TelemetrySources.Message(1, 97, 0), ref origin, source);
        }
    }

    [Fact]
    public void The_last_fifty_warnings_are_kept_the_last_first()
    {
        RecentErrors recent = new();
        using (Serilog.Core.Logger log = new LoggerConfiguration().MinimumLevel.Verbose().WriteTo
            .Sink(recent).CreateLogger())
        {
            log.Information("said and forgotten");
            for (int i = 0; i < 60; i++) log.Warning("line {Number}", i);
            log.Error("{Long}", new string('x', 10_000));
        }
        IReadOnlyList<LogLine> lines = recent.Read();
        Assert.Equal(50, lines.Count);
        Assert.InRange(lines[0].Text.Length, 400, 510);
        Assert.Equal("line 59", lines[1].Text);
        Assert.Equal("line 11", lines[^1].Text);
    }

    [Fact]
    public void Sums_over_zones_are_of_every_state()
    {
        _sources.AddZone("a.test.", ZoneState.Serving);
        _sources.AddZone("b.test.", ZoneState.Stale, "line 3");
        _sources.AddZone("c.test.", ZoneState.Loading);
        _sources.AddZone("d.test.", ZoneState.Failed, "line 4");
        ZoneTotals totals = _sources.All.Zones.Totals();
        Assert.Equal((2, 1, 1, 1, 4, 6),
            (totals.Serving, totals.Loading, totals.Failed, totals.Stale, totals.Count, totals.Records));
    }
}
