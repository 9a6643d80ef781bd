using Dns.Zones;
using Serilog;

namespace Dns.Server.Tests.Telemetry;

public class HistoryTests
{
    private readonly Sources _sources = new();

    [Fact]
    public void A_step_has_the_times_of_its_own_answers()
    {
        History history = new(_sources.All);
        Dns.Protocol.ClientAddress client = default;
        foreach (double milliseconds in (double[])[1, 100])
        {
            for (int i = 0; i < 100; i++)
            {
                long began = _sources.Watch.Now;
                _sources.Clock.Advance(milliseconds);
                _sources.Watch.OnAnswer(Sources.Message(1, 97, 0), ref client, AnswerWay.Datagram, false, began);
            }
            history.Add();
        }
        HistoryStep[] steps = [.. history.Read()];
        Assert.Equal(2, steps.Length);
        Assert.InRange(steps[0].SlowSeconds, 0.0005, 0.0011);
        Assert.InRange(steps[1].MedianSeconds, 0.06, 0.14);
    }

    [Fact]
    public void An_hour_is_kept_and_no_more()
    {
        History history = new(_sources.All);
        for (int i = 0; i < History.Steps + 10; i++) history.Add();
        Assert.Equal(History.Steps, history.Read().Count);
        Assert.Equal(TimeSpan.FromHours(1), History.Step * History.Steps);
    }

    [Fact]
    public void The_last_fifty_warnings_are_kept_the_last_first()
    {
        RecentErrors recent = new();
        using (Serilog.Core.Logger log = new LoggerConfiguration().MinimumLevel.Verbose().WriteTo.Sink(recent).CreateLogger())
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
        _sources.AddZone("b.test.", ZoneState.Serving, "line 3");
        _sources.AddZone("c.test.", ZoneState.Loading);
        _sources.AddZone("d.test.", ZoneState.Failed, "line 4");
        ZoneTotals totals = _sources.All.Zones.Totals();
        Assert.Equal((2, 1, 1, 1, 4, 6), (totals.Serving, totals.Loading, totals.Failed, totals.Stale, totals.Count, totals.Records));
    }
}
