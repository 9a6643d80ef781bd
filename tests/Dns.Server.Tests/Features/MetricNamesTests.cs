using System.Diagnostics.Metrics;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dns.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Server.Tests.Features;

/// <summary>The pages of metrics and alerts, the dashboard and the rules name the metrics that there are.</summary>
public partial class MetricNamesTests
{
    private static string[] Exported => [.. Instruments.Select(instrument => instrument.Name)];

    private static (string Name, string? Description)[] Instruments
    {
        get
        {
            TelemetrySources sources = new();
            ServerOptions options = new ServerOptions().With(ForwardSetting.Zones,
                [new ForwardZone(DomainName.Root, [IPEndPoint.Parse("192.0.2.53:53")], default, false)]);
            using FeatureSet features = ServerFeatures.All.Create(new ServerParts(new PublishedZones())
            {
                Options = options,
                StateDirectory = null,
                Listeners = sources.All.Listeners,
                Loggers = NullLoggerFactory.Instance,
                Exceptions = IExceptionSink.None,
                Answers = sources.Answers,
            });
            using ServerMeter meter = new(sources.All, new TelemetryOptions(), features.AddTo);
            List<(string, string?)> found = [];
            using MeterListener listener = new();
            listener.InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter, meter.Meter))
                    found.Add((instrument.Name, instrument.Description));
            };
            listener.Start();
            return [.. found];
        }
    }

    [Fact]
    public void Every_metric_has_a_row_in_the_docs_and_every_row_a_metric()
    {
        string page = File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "reference", "metrics.md"));
        string[] rows = [.. Row().Matches(page).Select(match => match.Groups[1].Value)];
        string[] families = [.. Exported.Select(name => Suffix().Replace(name, "")).Distinct()];
        Assert.Equal(families.Order(), rows.Order());
    }

    [Fact]
    public void The_page_of_metrics_names_every_loop()
    {
        string row = Loops().Match(File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "reference", "metrics.md")))
            .Groups[1].Value;
        Assert.Equal(ServerFeatures.Loops.Order(), row.Split(", ").Order());
    }

    [Fact]
    public void Every_metric_has_a_name_and_a_description_by_the_conventions()
    {
        Assert.NotEmpty(Instruments);
        Assert.All(Instruments, instrument =>
        {
            Assert.Matches("^(dnsd|process|dotnet)_[a-z_]+$", instrument.Name);
            Assert.Matches(@"^[A-Z0-9].*\.$", instrument.Description);
        });
    }

    [Theory]
    [InlineData("dashboard.json")]
    [InlineData("alerts.yml")]
    public void Dashboard_and_alerts_name_only_metrics_that_there_are(string file)
    {
        string text = File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "telemetry", file));
        string[] named = [.. Name().Matches(text).Select(match => match.Value).Distinct()];
        Assert.NotEmpty(named);
        Assert.Empty(named.Except(Exported));
    }

    [Fact]
    public void Every_alert_has_a_runbook_of_its_own_in_the_docs()
    {
        string alerts = File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "telemetry", "alerts.yml"));
        string[] names = [.. Alert().Matches(alerts).Select(match => match.Groups[1].Value)];
        Assert.NotEmpty(names);
        Assert.Equal(
            names.Select(name => "docs/how-to/alerts.md#" + name.ToLowerInvariant()),
            Runbook().Matches(alerts).Select(match => match.Groups[1].Value));
        string[] headings = [.. File.ReadLines(Path.Combine(RepositoryDocs.Folder, "how-to", "alerts.md"))
            .Where(line => line.StartsWith("## Dnsd", StringComparison.Ordinal)).Select(line => line[3..])];
        Assert.Equal(names.Order(), headings.Order());
    }

    [Fact]
    public void Names_end_with_base_units_and_ages_are_timestamps()
    {
        Assert.DoesNotContain(Exported, name => OtherUnit().IsMatch(name));
        Assert.DoesNotContain(Exported, name => name.Contains("_age", StringComparison.Ordinal));
    }

    [Fact]
    public void Rates_of_the_dashboard_follow_its_resolution()
    {
        string dashboard = File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "telemetry", "dashboard.json"));
        Assert.Contains("[$__rate_interval]", dashboard);
        Assert.DoesNotMatch(@"\[[0-9]+[smh]\]", dashboard);
    }

    [Fact]
    public void The_dashboard_is_json_whose_panels_have_titles_and_queries()
    {
        using JsonDocument dashboard =
            JsonDocument.Parse(File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "telemetry", "dashboard.json")));
        JsonElement panels = dashboard.RootElement.GetProperty("panels");
        Assert.NotEqual(0, panels.GetArrayLength());
        Assert.All(panels.EnumerateArray(), panel =>
        {
            Assert.NotEmpty(panel.GetProperty("title").GetString()!);
            Assert.NotEmpty(panel.GetProperty("targets")[0].GetProperty("expr").GetString()!);
        });
    }

    [GeneratedRegex(@"^\| `dnsd_faults_total` .* Loops: (.*) \|$", RegexOptions.Multiline)]
    private static partial Regex Loops();

    [GeneratedRegex("^ +- alert: (.+)$", RegexOptions.Multiline)]
    private static partial Regex Alert();

    [GeneratedRegex("^ +runbook_url: \"(.+)\"$", RegexOptions.Multiline)]
    private static partial Regex Runbook();

    [GeneratedRegex("_(octets|ms|milliseconds|microseconds|minutes|kib|mb|percent)(_|$)")]
    private static partial Regex OtherUnit();

    [GeneratedRegex(@"^\| `((?:dnsd|process|dotnet)_[a-z_]+)` \|", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex(@"\b(dnsd|process|dotnet)_[a-z_]+\b")]
    private static partial Regex Name();

    [GeneratedRegex("(?<=_seconds|_datagrams|_size_bytes)_(bucket|sum|count)$")]
    private static partial Regex Suffix();
}
