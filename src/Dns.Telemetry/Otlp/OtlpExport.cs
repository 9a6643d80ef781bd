using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace Dns.Telemetry.Otlp;

/// <summary>
/// Sends metrics, and traces of forwarded queries, by OTLP over HTTP. An unreachable collector is logged once.
/// </summary>
public sealed class OtlpExport(ServerMeter meter, TelemetryOptions options, TimeProvider clock,
    IExceptionSink exceptions, ILogger<OtlpExport> logger)
    : IHostedService, IDisposable
{
    private const int FlushMs = 1000;

    private MeterProvider? _metrics;
    private TracerProvider? _traces;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        // Made aside: the first answers do not wait for it.
        _ = Task.Run(() => exceptions.TryRun(TelemetryLoops.OtlpExport, Start), CancellationToken.None);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        // The last of both is sent, side by side. Disposal by itself would wait longer for a collector that hangs.
        return Task.WhenAll(
            Task.Run(() => _metrics?.Shutdown(FlushMs), CancellationToken.None),
            Task.Run(() => _traces?.Shutdown(FlushMs), CancellationToken.None));
    }

    public void Dispose()
    {
        _metrics?.Dispose();
        _traces?.Dispose();
    }

    private void Start()
    {
        ResourceBuilder resource = ResourceBuilder.CreateEmpty().AddService("dnsd", serviceVersion: ProgramVersion.Text)
            .AddAttributes([new("host.name", Environment.MachineName)]);
        HashSet<string> parts =
            [.. meter.Histograms.SelectMany(one => new[] { one.BucketName, one.SumName, one.CountName })];
        _metrics = Sdk.CreateMeterProviderBuilder().SetResourceBuilder(resource).AddMeter(meter.Meter.Name)
            .AddView(instrument => parts.Contains(instrument.Name) ? MetricStreamConfiguration.Drop : null)
            .AddOtlpExporter(exporter => SetUp(
                exporter, "v1/metrics", "Metrics",
                way => new OtlpHistogramHandler(HistogramsOf(resource.Build()), clock, way))).Build();
        if (options.TraceSample > 0)
            _traces = Sdk.CreateTracerProviderBuilder().SetResourceBuilder(resource)
                .AddSource(ForwardingTraces.SourceName)
                .SetSampler(new AlwaysOnSampler())
                .AddOtlpExporter(exporter => SetUp(exporter, "v1/traces", "Traces", way => way)).Build();
        logger.SendingMetrics(_traces is null ? "" : " and traces", OtlpOutcome.Shown(options.Otlp!));
    }

    private OtlpHistograms HistogramsOf(Resource resource) => new(
        meter.Histograms, resource.Attributes, DateTimeOffset.UnixEpoch.AddSeconds(ProcessFacts.StartUnixSeconds));

    private void SetUp(OtlpExporterOptions exporter, string path, string what,
        Func<HttpMessageHandler, HttpMessageHandler> wrap)
    {
        exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
        // What is added to a request is not compressed.
        exporter.Compression = OtlpExportCompression.None;
        exporter.Endpoint = new Uri(options.Otlp!.AbsoluteUri.TrimEnd('/') + "/" + path);
        exporter.HttpClientFactory = () => new HttpClient(wrap(new OtlpOutcome(what, options.Otlp, logger,
            new SocketsHttpHandler())))
        {
            Timeout = TimeSpan.FromMilliseconds(exporter.TimeoutMilliseconds),
        };
    }
}
