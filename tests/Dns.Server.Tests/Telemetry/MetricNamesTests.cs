using System.Diagnostics.Metrics;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Dns.Server.Tests.Telemetry;

/// <summary>The page of operations, the dashboard and the alerts speak of the metrics that there are.</summary>
public partial class MetricNamesTests
{
    internal static readonly string Docs = FindDocs();

    private static string[] Exported => [.. Instruments.Select(instrument => instrument.Name)];

    private static (string Name, string? Description)[] Instruments
    {
        get
        {
            Sources sources = new();
            using ServerMeter meter = new(sources.All, new TelemetryOptions(), sources.Clock);
            List<(string, string?)> found = [];
            using MeterListener listener = new();
            listener.InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter, meter.Meter)) found.Add((instrument.Name, instrument.Description));
            };
            listener.Start();
            return [.. found];
        }
    }

    [Fact]
    public void Every_metric_has_a_row_in_the_docs_and_every_row_a_metric()
    {
        string[] rows = [.. Row().Matches(File.ReadAllText(Path.Combine(Docs, "operations.md"))).Select(match => match.Groups[1].Value)];
        string[] families = [.. Exported.Select(name => Suffix().Replace(name, "")).Distinct()];
        Assert.Equal(families.Order(), rows.Order());
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
        string text = File.ReadAllText(Path.Combine(Docs, "telemetry", file));
        string[] named = [.. Name().Matches(text).Select(match => match.Value).Distinct()];
        Assert.NotEmpty(named);
        Assert.Empty(named.Except(Exported));
    }

    [Fact]
    public void The_dashboard_is_json_whose_panels_have_titles_and_queries()
    {
        using JsonDocument dashboard = JsonDocument.Parse(File.ReadAllText(Path.Combine(Docs, "telemetry", "dashboard.json")));
        JsonElement panels = dashboard.RootElement.GetProperty("panels");
        Assert.NotEqual(0, panels.GetArrayLength());
        Assert.All(panels.EnumerateArray(), panel =>
        {
            Assert.NotEmpty(panel.GetProperty("title").GetString()!);
            Assert.NotEmpty(panel.GetProperty("targets")[0].GetProperty("expr").GetString()!);
        });
    }

    private static string FindDocs()
    {
        DirectoryInfo folder = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Dns.sln"))) folder = folder.Parent!;
        return Path.Combine(folder.FullName, "docs");
    }

    [GeneratedRegex(@"^\| `((?:dnsd|process|dotnet)_[a-z_]+)` \|", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex(@"\b(dnsd|process|dotnet)_[a-z_]+\b")]
    private static partial Regex Name();

    [GeneratedRegex("(?<=_seconds|_datagrams)_(bucket|sum|count)$")]
    private static partial Regex Suffix();
}
