using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Serilog.Core;
using Serilog.Extensions.Logging;

namespace Dns.Server.Hosting;

/// <summary>Assembles the server and runs it: sockets first, then answering, then zones.</summary>
internal static class DnsServer
{
    /// <summary>Binds, starts, and returns when the host stops.</summary>
    /// <param name="isStrict">Whether a broken zone prevents the start.</param>
    /// <param name="errors">Receives a line for each reason that prevents the start.</param>
    public static async Task<int> RunAsync(SettingsArguments arguments, bool isStrict, TextWriter errors)
    {
        ReloadSignal.Ignore();
        FileSizeSignal.Ignore();
        // Settings and file names stay in the called method: this one lives as long as the server.
        using StateHold hold = new();
        using IHost? host = TryPrepare(arguments, isStrict, errors, hold);
        if (host is null) return ExitCode.Bad;
        if (OperatingSystem.IsWindows() && WindowsService.IsRunning)
            WindowsService.Follow(host.Services.GetRequiredService<IHostApplicationLifetime>());
        await host.RunAsync().ConfigureAwait(false);
        return ExitCode.Good;
    }

    private static IHost? TryPrepare(SettingsArguments arguments, bool isStrict, TextWriter errors, StateHold hold)
    {
        Settings settings = SettingsReader.Read(arguments, Environment.GetEnvironmentVariables());
        SettingDiagnostic[] ofSettings =
            [.. settings.Problems, .. StartDiagnostics.Find(settings), .. StartDiagnostics.FindMissingState(settings)];
        foreach (SettingDiagnostic problem in ofSettings) errors.WriteLine(problem);
        if (ofSettings.Length > 0) return null;
        ConfiguredZones sources =
            ConfiguredZones.Of(arguments, settings, Environment.GetEnvironmentVariables(), TimeProvider.System);
        string? fault = sources.Load(out int addedByCommand);
        ZoneExpansion zones = sources.Expand(settings.Options.Zones);
        SettingDiagnostic[] ofZones = [.. zones.Problems,
            .. StartDiagnostics.FindUnusableState(settings, sources.StateDirectory),
            .. FileClashes.Find(settings, zones, sources.StateFile)];
        foreach (SettingDiagnostic problem in ofZones) errors.WriteLine(problem);
        if (ofZones.Length > 0) return null;
        using SocketSource source = SocketSource.Of(arguments, settings.Options, Environment.GetEnvironmentVariables());
        foreach (string problem in source.Problems) errors.WriteLine("dnsd: error: " + problem);
        if (source.Problems.Count > 0) return null;
        LoopExceptions exceptions = new(ServerFeatures.Loops);
        TransportOptions transport =
            SocketBinding.TransportOptionsOf(settings.Options, source) with { Exceptions = exceptions };
        ListenerSet listeners = ListenerSet.Bind(transport, out IReadOnlyList<BindFailure> failures);
        var (bad, lacking) = SocketBinding.Classify(failures, listeners.EndPoints.Count);
        foreach (BindFailure failure in bad) errors.WriteLine($"dnsd: error: {failure}");
        if (bad.Count > 0 || !TryHold(hold, settings.Options, sources, source.Replaced, errors)) return null;
        LogLevels levels = new();
        RecentErrors recent = new();
        LogSinks sinks = FileTrial.SinksOf(settings.Configuration);
        if (!TryCreateLog(settings, sinks, levels, recent, errors, out Logger? log)) return null;
        ILogger logger = new SerilogLoggerFactory(log).CreateLogger(typeof(DnsServer).FullName!);
        logger.SettingsUsed(settings.Source.ToString());
        foreach (FileFault file in sinks.Faults) logger.LogFileFault(file);
        AdminPort? admin = BindAdmin(settings.Options, arguments.TakesOver, logger, out AdminAccess? access);
        // A reload reads again what was read at the start, whatever files are added meanwhile.
        arguments = arguments with { ConfigFile = settings.File };

        sources.Use(settings.Options.Zones);
        ServerOptions options = settings.Options;
        IHost host = Build(options, zones, sources, listeners, exceptions, log, access, services => source.AddTo(
            services.AddSingleton(hold).AddHostedService<StateHold.Follower>()
            .AddSingleton(sources).AddSingleton(levels).AddSingleton(sinks).AddSingleton(recent)
            .AddReloading(arguments, settings)
            .AddControl(settings.Options.Control).AddAdmin(admin, access)), source.Replaced is not null);
        foreach (BindFailure failure in lacking) logger.AddressLacking(failure);
        LogZones(zones, sources, fault, addedByCommand, logger);
        logger.LogWarnings(settings.Warnings.Concat(ServerFeatures.All.FindWarnings(options, zones)));
        LogRefusals(options, zones, logger);
        // Watching starts before the first file is read, so that no change is missed.
        host.Services.GetRequiredService<ZoneFileWatcher>();
        // Queries already wait in inherited sockets: they get answers instead of SERVFAIL.
        if (!isStrict && source.Inherited is null) return host;
        host.Services.GetRequiredService<ServiceReports>().Begin();
        ZoneLoadService loading = host.Services.GetRequiredService<ZoneLoadService>();
        ZoneLoadSummary summary = loading.Load(signs: source.Inherited is not null);
        if (!isStrict || (summary.Failed == 0 && zones.Unnamed.Count == 0)) return host;
        Report(loading.NameBroken(), logger, errors);
        host.Dispose();
        return null;
    }

    private static readonly TimeSpan KeyCommands = TimeSpan.FromSeconds(1);

    private static bool TryHold(
        StateHold hold, ServerOptions options, ConfiguredZones sources, int? replaced, TextWriter errors)
    {
        string? directory = hold.Directory = sources.StateDirectory;
        if (replaced is { } old && DirectoryLock.DirectoryOf(old, out bool isGone) is { } theirs
            && (isGone || directory is null || !IsSameDirectory(theirs, directory)))
        {
            errors.WriteLine($"dnsd: error: {directory ?? "no state directory"}: the server to take over uses {theirs}"
                + (isGone ? ", which was deleted: expected " : ": expected that one (Dns:StateDirectory), or ")
                + "a restart instead of a takeover");
            return false;
        }
        if (StateTrial.IsWanted(options)) hold.Make();
        bool isOfReplaced = directory is not null && replaced is { } process
            && DirectoryLock.MayBeOf(process, directory);
        // A command for keys holds it for an instant.
        if (hold.TryTake(out bool isOfAnother, isOfReplaced ? TimeSpan.Zero : KeyCommands) || !isOfAnother
            || isOfReplaced) return true;
        string other = replaced is null ? "another server" : "another server than the one to take over";
        errors.WriteLine($"dnsd: error: {directory}: {other}, or a command for its keys, uses this state "
            + "directory: expected another one (Dns:StateDirectory), or that server stopped before");
        return false;
    }

    private static bool IsSameDirectory(string one, string other) =>
        !OperatingSystem.IsLinux() || FileCalls.FactsOf(one, follows: true)?.Identity
            == FileCalls.FactsOf(other, follows: true)?.Identity;

    private static void Report(string broken, ILogger logger, TextWriter errors)
    {
        logger.NotStarted(broken);
        // The log may be a file.
        errors.WriteLine(
            $"dnsd: error: not started: with --strict every zone must be valid{broken}; the log has the reasons");
    }

    private static void LogZones(
        ZoneExpansion zones, ConfiguredZones sources, string? fault, int addedByCommand, ILogger logger)
    {
        if (fault is not null) logger.ZoneStateNotRead($"{sources.StateFile}: {fault}");
        if (addedByCommand > 0) logger.ZonesByHand(addedByCommand, sources.StateFile);
        zones.WriteTo(logger);
    }

    /// <summary>Logs settings by which every query is REFUSED.</summary>
    private static void LogRefusals(ServerOptions options, ZoneExpansion zones, ILogger logger)
    {
        if (zones.Files.Count == 0 && options.Forward.Count == 0 && SecondaryZones.Of(options).Count == 0)
            logger.NoZone();
        if (options.Forward.Count > 0 && options.Recursion.AllowFrom.Count == 0) logger.NoClientAllowed();
    }

    /// <summary>Without the admin port the server still runs: queries matter more than metrics.</summary>
    /// <param name="isLater">Whether to bind the port after the replaced server has released it.</param>
    /// <param name="access">Who may use the port; null without one.</param>
    private static AdminPort? BindAdmin(
        ServerOptions options, bool isLater, ILogger logger, out AdminAccess? access)
    {
        AdminOptions admin = options.Of(AdminOptions.Section);
        AdminPort? port = admin.Listen is { } address ? new AdminPort(address) : null;
        access = port is null ? null
            : new AdminAccess(admin.Token, !IPAddress.IsLoopback(port.EndPoint.Address), admin.Open);
        if (port is null || isLater || port.TryBind(out string? problem)) return port;
        access = null;
        port.Dispose();
        logger.NoAdminPort(problem);
        return null;
    }

    private static bool TryCreateLog(
        Settings settings, LogSinks sinks, LogLevels levels, RecentErrors recent, TextWriter errors,
        [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Logger? log)
    {
        if (LogSetup.TryCreate(settings.Configuration, levels, recent, out log, out string? problem, sinks,
            ServerEvents.LogLinesLost)) return true;
        errors.WriteLine($"{settings.File}: error: {problem}");
        return false;
    }

    private static IHost Build(
        ServerOptions options, ZoneExpansion zones, ConfiguredZones configured, ListenerSet listeners,
        LoopExceptions exceptions, Logger log, AdminAccess? access, Action<IServiceCollection> addMore,
        bool isTakeover)
    {
        SerilogLoggerFactory loggers = new(log);
        exceptions.Logger = loggers.CreateLogger<LoopExceptions>();
        ServerParts parts = new(new PublishedZones())
        {
            Options = options,
            StateDirectory = configured.StateDirectory,
            Listeners = listeners,
            Loggers = loggers,
            Exceptions = exceptions,
            Answers = new AnswerCounters(options.Telemetry.MaxZones),
            Admin = access,
        };
        FeatureSet features = ServerFeatures.All.Create(parts);
        LiveResponder responder = new(new Responder(
            parts.Registry.Published, features.AddTo(new ResponderOptions()), features.Forwarded)
        {
            Exceptions = exceptions,
            Handlers = features.Handlers,
            Counters = parts.Answers,
        });
        AnswerTimes? times = TelemetryServices.AnswerTimesOf(options, features.Observers, parts.Clock, exceptions);
        HostApplicationBuilder builder = CreateBuilder(log);
        builder.Services
            .AddSingleton(listeners)
            .AddSingleton(exceptions)
            .AddSingleton<IExceptionSink>(exceptions)
            .AddSingleton(options.Of(UdpOptions.Section))
            .AddSingleton(new Liveness(() => listeners.IsAccepting))
            // By a factory, so that the services dispose them.
            .AddSingleton(_ => features).AddSingleton<IFeatureStatus>(features).AddSingleton(parts.Handover)
            .AddZones(options, zones, configured, features, parts.Registry)
            .AddSingleton(responder)
            .AddSingleton(new WhyQuery(responder, features))
            .AddSingleton(Join(features, responder, times, default(NoSteps)))
            .AddTelemetry(options, features, times)
            .AddSingleton<MemoryRelease>()
            .AddHostedService(services => services.GetRequiredService<ServiceReports>())
            .AddSingleton(features.BeforeSockets)
            // Before the first query is answered, so that each zone's name is known.
            .AddHostedService(services => services.GetRequiredService<ZoneLoadService>())
            .AddHostedService<Listening>()
            .AddSingleton(features.AfterSockets);
        addMore(builder.Services);
        if (isTakeover) parts.Handover.Begin();
        return builder.Build();
    }

    private static HostApplicationBuilder CreateBuilder(Logger log)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings
        {
            ApplicationName = "dnsd",
            ContentRootPath = AppContext.BaseDirectory,
        });
        LogSetup.Use(builder.Logging, log);
        builder.Services
            .Configure<ConsoleLifetimeOptions>(lifetime => lifetime.SuppressStatusMessages = true)
            .AddSingleton(TimeProvider.System)
            .AddSingleton(new ServiceNotifier(Environment.GetEnvironmentVariables(), TimeProvider.System))
            .AddSingleton<StopTime>().AddSingleton<ServiceReports>();
        return builder;
    }

    /// <summary>The receiver of the transports' messages.</summary>
    private static IMessageResponder Join<TSteps>(
        FeatureSet features, LiveResponder responder, AnswerTimes? times, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        IMessageResponder joined =
            features.Join(responder, times, steps) ?? new ResponderAdapter<TSteps>(responder, steps);
        return times is null ? joined : new TimedResponder(joined, times);
    }
}
