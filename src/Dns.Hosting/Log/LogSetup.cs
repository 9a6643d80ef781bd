using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Core;
using Serilog.Debugging;
using Serilog.Events;
using Serilog.Extensions.Logging;
using Serilog.Settings.Configuration;

namespace Dns.Hosting.Log;

/// <summary>Creates the log of section <c>Serilog</c>; without a sink there, a console log.</summary>
public static class LogSetup
{
    /// <summary>A line in text, of the console and of each sink without a format of its own.</summary>
    public const string TextTemplate =
        "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} {Level:u3} {Event} {Message:lj}{NewLine}{Exception}";

    // Parts of section Serilog: sinks may name a switch.
    private static readonly string[] Sinks = ["WriteTo", "AuditTo"], Shared = ["Using", "LevelSwitches"];

    /// <summary>Creates the logger. A thread of its own writes the lines: logging never waits for a sink.</summary>
    /// <param name="also">Receives every line too, at once.</param>
    /// <param name="log">The logger, owned by the caller; disposing it waits for the last lines.</param>
    /// <param name="problem">Serilog's error about its section, in one line.</param>
    /// <param name="sinks">The sinks that cannot be opened: without any other, the console replaces them.</param>
    /// <param name="reportLost">Logs how many lines were lost because the sinks did not take them.</param>
    public static bool TryCreate(
        IConfiguration configuration, LogLevels levels, ILogEventSink also, [NotNullWhen(true)] out Logger? log,
        [NotNullWhen(false)] out string? problem, LogSinks? sinks = null,
        Action<Microsoft.Extensions.Logging.ILogger, long>? reportLost = null)
    {
        LogQueue queue = new(TimeProvider.System, Console.Error.WriteLine);
        try
        {
            (log, problem) = (Create(configuration, levels, also, queue, sinks ?? new LogSinks(0, [])), null);
            ILogger<LogQueue> ofQueue = new SerilogLoggerFactory(log).CreateLogger<LogQueue>();
            queue.Lost = lost => reportLost?.Invoke(ofQueue, lost);
            return true;
        }
        catch (Exception error) when (IsOfSettings(error))
        {
            queue.Dispose();
            string why = (error as TargetInvocationException)?.InnerException?.Message ?? error.Message;
            (log, problem) = (null, "Serilog: " + why.ReplaceLineEndings(" "));
            return false;
        }
    }

    /// <summary>Serilog's exception for an invalid value; exceptions of sinks are wrapped in others.</summary>
    private static bool IsOfSettings(Exception error) => error
        is InvalidOperationException or ArgumentException or IOException or FormatException or OverflowException
            or InvalidCastException
        or TypeLoadException or UnauthorizedAccessException or TargetInvocationException;

    private static Logger Create(
        IConfiguration configuration, LogLevels levels, ILogEventSink also, LogQueue queue, LogSinks sinks)
    {
        // Otherwise Serilog hides its failures, such as a file that it cannot open.
        bool isCreated = false;
        SelfLog.Enable(message =>
        {
            // Those that are known have an event.
            if (isCreated || !sinks.Faults.Any(fault => message.Contains(fault.Path, StringComparison.Ordinal)))
                queue.WriteError(EscapingWriter.EscapePart("dnsd: log: " + message.Split('\n')[0].TrimEnd()));
        });
        // Two loggers, with the queue between them: levels, filters and enrichers, and the sinks.
        queue.WriteTo(CreateSinks(configuration, sinks));
        LoggerConfiguration logger = new();
        Read(logger, configuration, isOfSinks: false);
        logger.Enrich.With(new EventIds(), new PlainProperties());
        levels.Attach(logger, configuration);
        Logger log = logger.WriteTo.Sink(also).WriteTo.Sink(queue).CreateLogger();
        isCreated = true;
        return log;
    }

    private static Logger CreateSinks(IConfiguration configuration, LogSinks sinks)
    {
        LoggerConfiguration logger = new();
        Read(logger, SinkFormats.AddTo(configuration), isOfSinks: true);
        bool isJson = SinkFormats.IsJson(configuration);
        if (!Sinks.Any(list => configuration.GetSection("Serilog:" + list).Exists()))
            AddConsole(logger, isJson, errorsFrom: null);
        else if (sinks.AreAllFaulty) AddConsole(logger, isJson, errorsFrom: LogEventLevel.Verbose);
        return logger.MinimumLevel.Verbose().CreateLogger();
    }

    /// <summary>Applies what section <c>Serilog</c> says of the sinks, or everything else.</summary>
    private static void Read(LoggerConfiguration logger, IConfiguration configuration, bool isOfSinks)
    {
        IConfigurationSection section = configuration.GetSection("Serilog");
        // The sinks by name: searching all assemblies would take longer than the rest of the start.
        ConfigurationReaderOptions known = new(
            typeof(ConsoleLoggerConfigurationExtensions).Assembly, typeof(FileLoggerConfigurationExtensions).Assembly);
        if (section.GetSection("Using").Exists()) known = new ConfigurationReaderOptions();
        IEnumerable<KeyValuePair<string, string?>> settings =
            from part in section.GetChildren()
            let isOfBoth = Shared.Contains(part.Key, StringComparer.OrdinalIgnoreCase)
            where isOfBoth || Sinks.Contains(part.Key, StringComparer.OrdinalIgnoreCase) == isOfSinks
            from pair in part.AsEnumerable()
            // A section has no value of its own, but one that is null may be an argument.
            where pair.Value is not null || !configuration.GetSection(pair.Key).GetChildren().Any()
            select pair;
        logger.ReadFrom.Configuration(new ConfigurationBuilder().AddInMemoryCollection(settings).Build(), known);
    }

    /// <param name="errorsFrom">The level from which lines go to standard error; null = none.</param>
    private static void AddConsole(LoggerConfiguration logger, bool isJson, LogEventLevel? errorsFrom)
    {
        if (OperatingSystem.IsWindows() && WindowsService.IsRunning) logger.WriteTo.Sink(new EventLogSink());
        // Both streams lead there, and only this one has the priorities of lines.
        else if (SystemdFormatter.IsJournal(descriptor: 1)) logger.WriteTo.Console(new SystemdFormatter(isJson));
        else if (isJson) logger.WriteTo.Console(new JsonLogFormatter(), standardErrorFromLevel: errorsFrom);
        else logger.WriteTo.Console(outputTemplate: TextTemplate, standardErrorFromLevel: errorsFrom);
    }

    /// <summary>Makes the host log through it, and dispose it at the end. Serilog filters levels.</summary>
    public static void Use(ILoggingBuilder builder, Logger log) =>
        builder.SetMinimumLevel(LogLevel.Trace).AddSerilog(log, dispose: true);
}
