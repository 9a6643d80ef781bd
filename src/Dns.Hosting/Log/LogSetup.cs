using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Core;
using Serilog.Debugging;
using Serilog.Events;
using Serilog.Settings.Configuration;

namespace Dns.Hosting.Log;

/// <summary>Creates the log of section <c>Serilog</c>; without a sink there, a console log.</summary>
internal static class LogSetup
{
    /// <summary>A line in text, of the console and of each sink without a format of its own.</summary>
    public const string TextTemplate =
        "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} {Level:u3} {Event} {Message:lj}{NewLine}{Exception}";

    /// <summary>Creates the logger.</summary>
    /// <param name="also">Receives every line too.</param>
    /// <param name="log">The logger, owned by the caller.</param>
    /// <param name="problem">Serilog's error about its section, in one line.</param>
    /// <param name="sinks">The sinks that cannot be opened: without any other, the console replaces them.</param>
    public static bool TryCreate(
        IConfiguration configuration, LogLevels levels, ILogEventSink also, [NotNullWhen(true)] out Logger? log,
        [NotNullWhen(false)] out string? problem, LogSinks? sinks = null)
    {
        try
        {
            (log, problem) = (Create(configuration, levels, also, sinks ?? new LogSinks(0, [])), null);
            return true;
        }
        catch (Exception error) when (IsOfSettings(error))
        {
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
        IConfiguration configuration, LogLevels levels, ILogEventSink also, LogSinks sinks)
    {
        // Otherwise Serilog hides its failures, such as a file that it cannot open.
        bool isCreated = false;
        SelfLog.Enable(message =>
        {
            // Those that are known have an event.
            if (isCreated || !sinks.Faults.Any(fault => message.Contains(fault.Path, StringComparison.Ordinal)))
                Console.Error.WriteLine(
                    EscapingWriter.EscapePart("dnsd: log: " + message.Split('\n')[0].TrimEnd()));
        });
        bool isJson = SinkFormats.IsJson(configuration);
        configuration = SinkFormats.AddTo(configuration);
        IConfigurationSection section = configuration.GetSection("Serilog");
        LoggerConfiguration logger = new();
        // The sinks by name: searching all assemblies would take longer than the rest of the start.
        ConfigurationReaderOptions known = new(
            typeof(ConsoleLoggerConfigurationExtensions).Assembly, typeof(FileLoggerConfigurationExtensions).Assembly);
        if (section.GetSection("Using").Exists()) known = new ConfigurationReaderOptions();
        logger.ReadFrom.Configuration(configuration, known);
        logger.Enrich.With(new EventIds(), new PlainProperties());
        levels.Attach(logger, configuration);
        if (!section.GetSection("WriteTo").Exists() && !section.GetSection("AuditTo").Exists())
            AddConsole(logger, isJson, errorsFrom: null);
        else if (sinks.AreAllFaulty) AddConsole(logger, isJson, errorsFrom: LogEventLevel.Verbose);
        Logger log = logger.WriteTo.Sink(also).CreateLogger();
        isCreated = true;
        return log;
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
        builder.SetMinimumLevel(LogLevel.Trace).AddSerilog(new ShutdownLog(log), dispose: true);
}
