using System.Text.RegularExpressions;

namespace Dns.Server.Tests.Features;

/// <summary>What a feature counts, as outputs show it.</summary>
internal static partial class FeatureMetrics
{
    /// <summary>The samples of a metric: the content of a label, if it has one, and the value.</summary>
    public static string[] Read(Feature feature, string metric)
    {
        using MetricSet metrics = new(new TelemetrySources().Status, maxZones: 10);
        using PrometheusText text = new(metrics.Meter);
        feature.AddTo(metrics);
        return [.. Sample().Matches(TelemetrySources.TextOf(text.Write))
            .Where(match => match.Groups[1].Value == metric)
            .Select(match => $"{match.Groups[2].Value} {match.Groups[3].Value}".TrimStart())];
    }

    /// <summary>The rows of its statistics.</summary>
    public static string[] CountsOf(Feature feature) =>
        [.. feature.Counts.SelectMany(group => group.Named).Select(one => $"{one.Name} {one.Count}")];

    [GeneratedRegex("""^(\w+)(?:\{\w+="(\w+)"\})? (\d+)$""", RegexOptions.Multiline)]
    private static partial Regex Sample();
}
