using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace Dns.Server;

/// <summary>Sends metrics, and traces of forwarded queries, by OTLP over HTTP. A collector that is not there matters to nobody.</summary>
internal sealed class OtlpExport(ServerMeter meter, TelemetryOptions options, ILogger<OtlpExport> logger) : IHostedService, IDisposable
{
    private const int FlushMs = 1000;

    private MeterProvider? _metrics;
    private TracerProvider? _traces;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        // Made aside: the first answers do not wait for it.
        _ = Task.Run(Start, CancellationToken.None);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        _metrics?.ForceFlush(FlushMs);
        _traces?.ForceFlush(FlushMs);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _metrics?.Dispose();
        _traces?.Dispose();
    }

    private void Start()
    {
        ResourceBuilder resource = ResourceBuilder.CreateEmpty().AddService("dnsd", serviceVersion: ProgramVersion.Text)
            .AddAttributes([new("host.name", Environment.MachineName)]);
        _metrics = Sdk.CreateMeterProviderBuilder().SetResourceBuilder(resource).AddMeter(meter.Meter.Name)
            .AddOtlpExporter(exporter => SetUp(exporter, "v1/metrics")).Build();
        if (options.TraceSample > 0)
            _traces = Sdk.CreateTracerProviderBuilder().SetResourceBuilder(resource).AddSource(TraceTap.SourceName)
                .SetSampler(new AlwaysOnSampler()).AddOtlpExporter(exporter => SetUp(exporter, "v1/traces")).Build();
        logger.LogInformation("Sending metrics{Traces} to {Address}", _traces is null ? "" : " and traces", options.Otlp);
    }

    private void SetUp(OtlpExporterOptions exporter, string path)
    {
        exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
        exporter.Endpoint = new Uri(options.Otlp!.AbsoluteUri.TrimEnd('/') + "/" + path);
    }
}
