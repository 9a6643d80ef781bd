namespace Dns.Telemetry.Metrics;

/// <summary>A counter within a group.</summary>
/// <param name="Name">Its name, which the label of a metric has too: <c>table_full</c>, <c>NXDOMAIN</c>.</param>
public sealed record NamedCount(string Name, long Count)
{
    /// <summary>The name as text: <c>table full</c>.</summary>
    public string ToText() => Name.Replace('_', ' ');
}
