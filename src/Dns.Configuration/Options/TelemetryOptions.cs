namespace Dns.Configuration.Options;

/// <summary>What is measured, section <c>Dns:Telemetry</c>.</summary>
/// <param name="Enabled">Whether answers are timed, and sampled for the lists of top names and clients.</param>
/// <param name="MaxZones">Up to so many zones have metrics of their own; with more there are only sums.</param>
/// <param name="Otlp">Where metrics and traces are sent by OTLP over HTTP; null = nowhere.</param>
/// <param name="TraceSample">The share of forwarded queries that is traced, 0 to 1.</param>
public sealed record TelemetryOptions(
    bool Enabled = true, int MaxZones = 1000, Uri? Otlp = null, double TraceSample = 0)
{
    /// <summary>The section.</summary>
    public static SettingsSection<TelemetryOptions> Section { get; } =
        new SettingsSection<TelemetryOptions>("Telemetry", "What is measured, and where it is sent.", new())
        .Add("Enabled", Flag, o => o.Enabled, (o, v) => o with { Enabled = v },
            "Whether response times are measured, and queries sampled for the lists of top names and clients.", false)
        .Add("MaxZones", Number(0, 1_000_000, "zones"), o => o.MaxZones, (o, v) => o with { MaxZones = v },
            "With more zones than this, zone states are exported as sums only, and queries are counted by zone for the first this many zones that are queried.", 5000)
        .Add("Otlp", Url, o => o.Otlp, (o, v) => o with { Otlp = v },
            "Address of an OpenTelemetry collector for metrics and traces (OTLP over HTTP, protobuf). null = none.",
            "http://127.0.0.1:4318")
        .Add("TraceSample", Fraction, o => o.TraceSample, (o, v) => o with { TraceSample = v },
            "The share of forwarded queries that is traced.", 0.01);
}
