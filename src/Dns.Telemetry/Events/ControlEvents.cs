using Microsoft.Extensions.Logging;
using Serilog.Events;

namespace Dns.Telemetry.Events;

/// <summary>Events 601 to 699: the control socket.</summary>
public static partial class ControlEvents
{
    /// <summary>Where <c>dnsd status</c> and other commands reach this server.</summary>
    [LoggerMessage(601, LogLevel.Information, "Control socket {Path}")]
    public static partial void ControlSocket(this ILogger logger, string path);

    /// <summary>No directory for it is writable: set <c>Dns:Control:Socket</c>.</summary>
    [LoggerMessage(602, LogLevel.Warning,
        "No directory for a control socket: dnsd status and other commands cannot reach this server")]
    public static partial void NoControlSocket(this ILogger logger);

    /// <summary>Another server has it, possibly the one that this server replaces: it is retried.</summary>
    [LoggerMessage(603, LogLevel.Warning, "The control socket {Path} cannot be used yet: {Why}")]
    public static partial void ControlSocketTaken(this ILogger logger, string path, string why);

    /// <summary>One connection failed; later ones are accepted.</summary>
    [LoggerMessage(604, LogLevel.Warning, "A connection to the control socket failed: {Why}")]
    public static partial void ControlConnectionFailed(this ILogger logger, string why);

    /// <summary>The client closed the connection or was too slow.</summary>
    [LoggerMessage(605, LogLevel.Debug, "A client of the control socket got no answer: {Why}")]
    public static partial void ControlClientGone(this ILogger logger, string why);

    /// <summary>A defect of the server: please report it.</summary>
    [LoggerMessage(606, LogLevel.Error, "Control command {Command} failed")]
    public static partial void ControlCommandFailed(this ILogger logger, Exception error, string command);

    /// <summary>The log level was changed by <c>dnsd loglevel</c>, until the next reload.</summary>
    [LoggerMessage(607, LogLevel.Information, "The log level is {Level} now")]
    public static partial void LogLevelChanged(this ILogger logger, LogEventLevel level);
}
