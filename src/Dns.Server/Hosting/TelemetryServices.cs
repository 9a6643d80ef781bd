using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Dns.Server.Hosting;

/// <summary>Registers telemetry and the admin port with the host.</summary>
internal static class TelemetryServices
{
    /// <summary>Registers them. Unused parts are not created.</summary>
    /// <param name="services">Contains responder, listeners and zones.</param>
    /// <param name="answerTimes">Times answers; null = off.</param>
    /// <param name="forwarder">The forwarder; null = none.</param>
    public static IServiceCollection AddTelemetry(
        this IServiceCollection services, ServerOptions options, AnswerRecorders recorders, AnswerTimes? answerTimes,
        Forwarder? forwarder)
    {
        services
            .AddSingleton(options.Telemetry)
            .AddSingleton(provider => new ServerSources(
                provider.GetRequiredService<LiveResponder>().Current.Counters,
                provider.GetRequiredService<ListenerSet>(),
                provider.GetRequiredService<ZoneStatusReader>(), forwarder, answerTimes)
            {
                LogFaults = provider.GetRequiredService<LogSinks>().Faults,
                Recorders = recorders,
                Updates = provider.GetRequiredService<DynamicZones>(),
                Published = provider.GetRequiredService<PublishedZones>(),
                RateLimiter = RateLimiterOf(provider.GetRequiredService<AbuseProtection>()),
                OnlineSignatures = OnlineSignaturesOf(provider.GetRequiredService<SigningSetup>().Service),
                SigningLimiter = provider.GetRequiredService<AbuseProtection>().SigningLimiter,
                ZoneDirectories = () =>
                    provider.GetRequiredService<ConfiguredZones>().Directories.Select(zone => zone.Path!),
                ReloadRefusal = () => provider.GetRequiredService<SettingsReloader>().Refusal,
                Exceptions = provider.GetRequiredService<LoopExceptions>(),
                Transfers = provider.GetRequiredService<TransferHandler>().Transfers,
                Notifications = provider.GetRequiredService<ZoneNotifier>().Sender,
                Secondaries = provider.GetRequiredService<Secondaries>().Source.Counters,
            })
            .AddSingleton<HealthReport>()
            .AddSingleton<ServerMeter>()
            .AddSingleton<History>()
            .AddSingleton<StatusWarnings>()
            .AddSingleton<StatusReader>()
            .AddHostedService<HistoryClock>();
        foreach ((_, AnswerRecorder recorder) in recorders.All) services.AddSingleton<IHostedService>(_ => recorder);
        if (recorders.QueryLog is { } queries) services.AddSingleton<IQueryLog>(_ => queries);
        if (options.Telemetry.Otlp is not null) services.AddHostedService<OtlpExport>();
        return services;
    }

    private static Func<long> OnlineSignaturesOf(ZoneSigning? signing) => () => signing?.OnlineSignatures ?? 0;

    // A reload may turn the limiter on.
    private static Func<RateLimiter?> RateLimiterOf(AbuseProtection protection) => () => protection.RateLimiter;

    /// <summary>The observer of answers; null if neither times nor records are enabled.</summary>
    public static AnswerTimes? AnswerTimesOf(
        ServerOptions options, AnswerRecorders recorders, TimeProvider clock, IExceptionSink exceptions)
    {
        IAnswerObserver[] observers = [.. recorders.All.Select(one => one.Recorder)];
        ForwardingTraces? traces =
            options.Telemetry is { Otlp: not null, TraceSample: > 0 and var share } ? new(share, clock) : null;
        return options.Telemetry.Enabled || observers.Length > 0 || traces is not null
            ? new AnswerTimes(clock, observers) { Traces = traces, Exceptions = exceptions } : null;
    }

    /// <summary>Adds the admin port.</summary>
    /// <param name="services">Contains telemetry.</param>
    /// <param name="port">The port; null = none.</param>
    public static IServiceCollection AddAdmin(this IServiceCollection services, AdminOptions options,
        AdminPort? port) =>
        port is null ? services : services
            .AddSingleton(_ => port)
            .AddSingleton(new AdminAccess(options.Token, !IPAddress.IsLoopback(port.EndPoint.Address), options.Open))
            .AddSingleton(provider => new PrometheusText(provider.GetRequiredService<ServerMeter>().Meter))
            .AddSingleton<StatusPage>()
            // Created when it starts: the web server is loaded after the first answers.
            .AddHostedService<AdminServer>();
}
