using System.Text.RegularExpressions;
using Dns.Testing;

namespace Dns.Management.Tests.Control;

/// <summary>The outputs that show the state of the server, made of one state.</summary>
public partial class StatisticsTests
{
    private readonly TelemetrySources _sources = new();

    private ServerStatus Status(ServerSources? sources = null, IReadOnlyList<StatusWarning>? warnings = null)
    {
        sources ??= _sources.All;
        return new ServerStatus
        {
            Now = _sources.Clock.GetUtcNow(), Uptime = TimeSpan.FromSeconds(90), Identity = null, SettingsFile = null,
            Listening = [],
            UdpListener = UdpListenerKind.Batched, LogLevel = "Information", IsLoaded = true, Warnings = warnings ?? [],
            Zones = sources.Zones.ReadTotals(), Answers = sources.Answers.Read(), Udp = sources.ReadUdp(),
            Tcp = sources.Listeners.ReadTcpCounters(), BadProxyDatagrams = 0,
            Counts = [new CountGroup(CountGroup.Defence, "x:", [new NamedCount("some_thing", 5)]),
                new CountGroup("other feature", "", [new NamedCount("odd_one", 6)])],
            Forwarding = ForwardingStatus.Of(sources.Forwarder),
        };
    }

    [Theory]
    [InlineData("dnsd_answers_by_kind_total", "")]
    [InlineData("dnsd_questions_total", "")]
    [InlineData("dnsd_tcp_connections_total", "TCP connections ")]
    [InlineData("dnsd_tcp_closed_total", "TCP closed: ")]
    public void Counters_have_the_names_and_values_of_metrics(string metric, string prefix)
    {
        ServedZones served = ExampleZones.WithOptions(new ResponderOptions());
        ServerSources all = _sources.All with { Answers = served.Responder.Counters };
        foreach (string question in (string[])["www A", "www A", "none A", "www TYPE999"])
            served.TryAsk(ExampleZones.Query(question).ToOctets(), from: "192.0.2.1");
        Statistics statistics = Statistics.Of(Status(all));
        Dictionary<string, long> rows = new NamedCount[][]
        {
            [.. statistics.Kinds], [.. statistics.Types], [.. statistics.Transport],
        }.SelectMany(group => group).ToDictionary(one => one.Name, one => one.Count);
        using ServerMeter meter = new(all, new TelemetryOptions());
        using PrometheusText text = new(meter.Meter);
        Match[] samples =
            [.. Sample().Matches(TelemetrySources.TextOf(text.Write)).Where(match => match.Groups[1].Value == metric)];
        Assert.NotEmpty(samples);
        Assert.All(samples,
            sample => Assert.Equal(long.Parse(sample.Groups[3].Value), rows[prefix + sample.Groups[2].Value]));
    }

    [Fact]
    public void Statistics_are_written_in_words()
    {
        StringWriter text = new();
        Statistics.Of(Status()).Write(text);
        string[] lines = [.. text.ToString().ReplaceLineEndings("\n").Split('\n')];
        Assert.Contains(lines, line => Regex.IsMatch(line, "^  no data +0$"));
        Assert.Contains(lines, line => Regex.IsMatch(line, "^  x: some thing +5$"));
        Assert.Contains("other feature", lines);
        Assert.Contains(lines, line => Regex.IsMatch(line, "^  odd one +6$"));
        Assert.Contains(lines, line => Regex.IsMatch(line, @"^192\.0\.2\.53:53 +up +0\.0 ms +0 +0 +0 +0$"));
        Assert.DoesNotContain(lines, line => line.Contains('_'));
    }

    [Fact]
    public void The_summary_has_the_sums_and_the_warnings_of_the_state()
    {
        _sources.AddZone("good.test.", ZoneState.Serving);
        _sources.AddZone("slow.test.", ZoneState.Loading);
        _sources.AddZone("bad.test.", ZoneState.Failed, "line 1");
        StatusSummary summary =
            StatusSummary.Of(Status(warnings: [new StatusWarning(true, "1 zone broken", ["bad.test. line 1"])]));
        Assert.Equal((1, 2, 1, 0, "batched", 90.0),
            (summary.ZonesServed, summary.ZonesBroken, summary.Upstreams, summary.UpstreamsDown, summary.UdpListener,
                summary.UptimeSeconds));
        WarningLine warning = Assert.Single(summary.Warnings);
        Assert.Equal(("error", "1 zone broken", "bad.test. line 1"),
            (warning.Severity, warning.Text, warning.Details[0]));
    }

    [GeneratedRegex("""^(\w+)\{\w+="(\w+)"\} (\d+)$""", RegexOptions.Multiline)]
    private static partial Regex Sample();
}
