using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Core;
using Serilog.Debugging;
using Serilog.Settings.Configuration;

namespace Dns.Hosting.Log;

/// <summary>Creates the log of section <c>Serilog</c>; without a sink there, a console log.</summary>
internal static class LogSetup
{
    private const string ConsoleTemplate =
        "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} {Level:u3} {Event} {Message:lj}{NewLine}{Exception}";

    /// <summary>Creates the logger.</summary>
    /// <param name="also">Receives every line too.</param>
    /// <param name="log">The logger, owned by the caller.</param>
    /// <param name="problem">Serilog's error about its section, in one line.</param>
    public static bool TryCreate(
        IConfiguration configuration, LogLevels levels, ILogEventSink also, [NotNullWhen(true)] out Logger? log,
        [NotNullWhen(false)] out string? problem)
    {
        try
        {
            (log, problem) = (Create(configuration, levels, also), null);
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

    private static Logger Create(IConfiguration configuration, LogLevels levels, ILogEventSink also)
    {
        // Otherwise Serilog hides its failures, such as a file that it cannot open.
        SelfLog.Enable(message => Console.Error.WriteLine(
            EscapingWriter.EscapePart("dnsd: log: " + message.Split('\n')[0].TrimEnd())));
        bool isJson = JsonLog.IsWanted(configuration);
        if (isJson) configuration = JsonLog.AddTo(configuration);
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
        {
            if (OperatingSystem.IsWindows() && WindowsService.IsRunning) logger.WriteTo.Sink(new EventLogSink());
            else if (SystemdFormatter.IsJournal(descriptor: 1)) logger.WriteTo.Console(new SystemdFormatter(isJson));
            else if (isJson) logger.WriteTo.Console(new JsonLogFormatter());
            else logger.WriteTo.Console(outputTemplate: ConsoleTemplate);
        }
        return logger.WriteTo.Sink(also).CreateLogger();
    }

    /// <summary>Makes the host log through it, and dispose it at the end. Serilog filters levels.</summary>
    public static void Use(ILoggingBuilder builder, Logger log) =>
        builder.SetMinimumLevel(LogLevel.Trace).AddSerilog(new ShutdownLog(log), dispose: true);
}
