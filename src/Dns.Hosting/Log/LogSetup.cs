using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Core;
using Serilog.Debugging;
using Serilog.Settings.Configuration;

namespace Dns.Hosting;

/// <summary>Makes the log of section <c>Serilog</c>; without a sink there, of the console.</summary>
internal static class LogSetup
{
    private const string ConsoleTemplate =
        "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} {Level:u3} {Event} {Message:lj}{NewLine}{Exception}";

    /// <summary>Makes the logger.</summary>
    /// <param name="configuration">The settings.</param>
    /// <param name="levels">Governs its level from now on.</param>
    /// <param name="also">Receives every line as well.</param>
    /// <param name="log">The logger, the caller's.</param>
    /// <param name="problem">What Serilog does not understand of its section, in one line.</param>
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

    /// <summary>What Serilog throws where a value does not fit; what a sink throws comes within another exception.</summary>
    private static bool IsOfSettings(Exception error) => error
        is InvalidOperationException or ArgumentException or IOException or FormatException or OverflowException or InvalidCastException
        or TypeLoadException or UnauthorizedAccessException or TargetInvocationException;

    private static Logger Create(IConfiguration configuration, LogLevels levels, ILogEventSink also)
    {
        // What Serilog cannot do, such as opening its file, it would keep to itself.
        SelfLog.Enable(message => Console.Error.WriteLine(
            EscapingWriter.Escape("dnsd: log: " + message.Split('\n')[0].TrimEnd())));
        bool isJson = JsonLog.IsWanted(configuration);
        if (isJson) configuration = JsonLog.AddTo(configuration);
        IConfigurationSection section = configuration.GetSection("Serilog");
        LoggerConfiguration logger = new();
        // The sinks by name: looking for them in all assemblies would take longer than the rest of the start.
        ConfigurationReaderOptions known = new(
            typeof(ConsoleLoggerConfigurationExtensions).Assembly, typeof(FileLoggerConfigurationExtensions).Assembly);
        if (section.GetSection("Using").Exists()) known = new ConfigurationReaderOptions();
        logger.ReadFrom.Configuration(configuration, known);
        logger.Enrich.With(new EventIds(), new PlainProperties());
        levels.Attach(logger, configuration);
        if (!section.GetSection("WriteTo").Exists() && !section.GetSection("AuditTo").Exists())
        {
            if (OperatingSystem.IsWindows() && WindowsService.IsRunning) logger.WriteTo.Sink(new EventLogSink());
            else if (JournalFormatter.IsJournal(descriptor: 1)) logger.WriteTo.Console(new JournalFormatter(isJson));
            else if (isJson) logger.WriteTo.Console(new JsonLogFormatter());
            else logger.WriteTo.Console(outputTemplate: ConsoleTemplate);
        }
        return logger.WriteTo.Sink(also).CreateLogger();
    }

    /// <summary>Has the host log through it, and dispose it in the end. Levels are Serilog's business.</summary>
    public static void Use(ILoggingBuilder builder, Logger log) =>
        builder.SetMinimumLevel(LogLevel.Trace).AddSerilog(new ShutdownLog(log), dispose: true);
}
