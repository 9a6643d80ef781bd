namespace Dns.Configuration.Options;

/// <summary>What is measured, section <c>Dns:Telemetry</c>.</summary>
internal sealed class TelemetryOptions
{
    /// <summary>Whether answers are timed, and sampled for the lists of top names and clients.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Up to so many zones have metrics of their own; with more there are only sums. 0 to 1000000.</summary>
    public int MaxZones { get; set; } = 1000;

    /// <summary>Where metrics and traces are sent by OTLP over HTTP; null = nowhere.</summary>
    public Uri? Otlp { get; set; }

    /// <summary>The share of forwarded queries that is traced, 0 to 1.</summary>
    public double TraceSample { get; set; }
}
