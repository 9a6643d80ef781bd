using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Events;

/// <summary>Events 801 to 899: a server that takes over from another.</summary>
public static partial class TakeoverEvents
{
    /// <summary>This server has the sockets, and has read its zones.</summary>
    [LoggerMessage(801, LogLevel.Information, "Took over from the previous server, which stops")]
    public static partial void TookOver(this ILogger logger);

    /// <summary>A later <c>dnsd run --takeover</c> will not be able to replace this server.</summary>
    [LoggerMessage(802, LogLevel.Information, "Sockets of this server cannot be taken over: {Why}")]
    public static partial void NoTakeover(this ILogger logger, string why);

    /// <summary>Only the same user and root may take over. A few lines a minute at most.</summary>
    [LoggerMessage(803, LogLevel.Warning, "A process of another user requested the sockets and was refused{More}")]
    public static partial void TakeoverRefused(this ILogger logger, string more);

    /// <summary>Until then this server answers.</summary>
    [LoggerMessage(804, LogLevel.Information, "A new server takes over once it has read its zones")]
    public static partial void TakeoverBegins(this ILogger logger);

    /// <summary>Why the connection to the new server ended.</summary>
    [LoggerMessage(805, LogLevel.Debug, "The new server is gone: {Why}")]
    public static partial void SuccessorGone(this ILogger logger, string why);

    /// <summary>Nothing has changed; the log of the new server has the reason.</summary>
    [LoggerMessage(806, LogLevel.Warning, "The new server ended before it was ready; this one continues")]
    public static partial void TakeoverFailed(this ILogger logger);
}
