using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Dns.Server.Hosting;

/// <summary>Registers telemetry and the admin port with the host.</summary>
internal static class TelemetryServices
{
    /// <summary>Registers them. Unused parts are not created.</summary>
    /// <param name="services">Contains responder, listeners, zones and features.</param>
    /// <param name="answerTimes">Times answers; null = off.</param>
    public static IServiceCollection AddTelemetry(
        this IServiceCollection services, ServerOptions options, FeatureSet features, AnswerTimes? answerTimes)
    {
        services
            .AddSingleton(options.Telemetry)
            .AddSingleton(provider => new ServerSources(
                provider.GetRequiredService<LiveResponder>().Current.Counters,
                provider.GetRequiredService<ListenerSet>(),
                provider.GetRequiredService<ZoneStatusReader>(), features.Forwarder, answerTimes)
            {
                LogFaults = provider.GetRequiredService<LogSinks>().Faults,
                Recorders = features.Recorders,
                Published = provider.GetRequiredService<PublishedZones>(),
                ZoneDirectories = () =>
                    provider.GetRequiredService<ConfiguredZones>().Directories.Select(zone => zone.Path!),
                ReloadRefusal = () => provider.GetRequiredService<SettingsReloader>().Refusal,
                Exceptions = provider.GetRequiredService<LoopExceptions>(),
            })
            .AddSingleton<HealthReport>()
            .AddSingleton(provider => new ServerMeter(
                provider.GetRequiredService<ServerSources>(), options.Telemetry, features.AddTo))
            .AddSingleton<History>()
            .AddSingleton<StatusWarnings>()
            .AddSingleton<StatusReader>()
            .AddHostedService<HistoryClock>();
        if (options.Telemetry.Otlp is not null) services.AddHostedService<OtlpExport>();
        return services;
    }

    /// <summary>The observer of answers; null if neither times nor records are enabled.</summary>
    public static AnswerTimes? AnswerTimesOf(
        ServerOptions options, IAnswerObserver[] observers, TimeProvider clock, IExceptionSink exceptions)
    {
        ForwardingTraces? traces =
            options.Telemetry is { Otlp: not null, TraceSample: > 0 and var share } ? new(share, clock) : null;
        return options.Telemetry.Enabled || observers.Length > 0 || traces is not null
            ? new AnswerTimes(clock, observers) { Traces = traces, Exceptions = exceptions } : null;
    }

    /// <summary>Adds the admin port.</summary>
    /// <param name="services">Contains telemetry.</param>
    /// <param name="port">The port; null = none.</param>
    /// <param name="access">Who may use it; null without a port.</param>
    public static IServiceCollection AddAdmin(
        this IServiceCollection services, AdminPort? port, AdminAccess? access) =>
        port is null || access is null ? services : services
            .AddSingleton(_ => port)
            .AddSingleton(access)
            .AddSingleton(provider => new PrometheusText(provider.GetRequiredService<ServerMeter>().Meter))
            .AddSingleton<StatusPage>()
            // Created when it starts: the web server is loaded after the first answers.
            .AddHostedService<AdminServer>();
}
