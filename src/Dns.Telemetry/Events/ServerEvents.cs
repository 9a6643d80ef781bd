using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Events;

/// <summary>Events 101 to 199: the server as a whole.</summary>
public static partial class ServerEvents
{
    /// <summary>The server answers on this address from now on.</summary>
    [LoggerMessage(101, LogLevel.Information, "Listening on {Address} ({Protocol})")]
    public static partial void Listening(this ILogger logger, IPEndPoint address, string protocol);

    /// <summary>The server has stopped in order; queries that were read have been answered.</summary>
    [LoggerMessage(102, LogLevel.Information, "Stopped")]
    public static partial void Stopped(this ILogger logger);

    /// <summary>
    /// The machine does not have <c>[::]</c>, <c>[::1]</c> or a default address of <c>Dns:Listen</c>. The other
    /// addresses are served. Any other address that is missing prevents the start.
    /// </summary>
    [LoggerMessage(103, LogLevel.Warning, "{Failure}")]
    public static partial void AddressLacking(this ILogger logger, BindFailure failure);

    /// <summary>
    /// The system forbids or lacks an optimization, or a socket had an error. Logged once for each kind.
    /// </summary>
    [LoggerMessage(104, LogLevel.Warning, "{Note}")]
    public static partial void ListenerNote(this ILogger logger, string note);

    /// <summary>
    /// The system grants a smaller receive buffer than requested: raise the limit that the line names.
    /// </summary>
    [LoggerMessage(105, LogLevel.Information, "{Note}")]
    public static partial void SmallReceiveBuffer(this ILogger logger, string note);

    /// <summary>The settings have no zone and nothing to forward: set <c>Dns:Zones</c>.</summary>
    [LoggerMessage(106, LogLevel.Warning, "No zone is configured: every query is REFUSED")]
    public static partial void NoZone(this ILogger logger);

    /// <summary>
    /// The named zones, or files of zone directories that earlier lines name, have errors, and the server was started
    /// with <c>--strict</c>. Earlier lines give the reasons.
    /// </summary>
    [LoggerMessage(107, LogLevel.Error, "Not started: with --strict every zone must be valid{Broken}")]
    public static partial void NotStarted(this ILogger logger, string broken);

    /// <summary>The first line: which settings file is used, and where it was found.</summary>
    [LoggerMessage(108, LogLevel.Information, "Settings: {Source}")]
    public static partial void SettingsUsed(this ILogger logger, string source);

    /// <summary>
    /// The user of the server may not write a file of section <c>Serilog</c>: the log goes to its other sinks, or, if
    /// there are none, to standard error, the journal or the event log.
    /// </summary>
    [LoggerMessage(109, LogLevel.Error, "{Fault}")]
    public static partial void LogFileFault(this ILogger logger, FileFault fault);

    /// <summary>
    /// Another server uses the same state directory, so that each loses changes of the other: stop one, or give it
    /// another <c>Dns:StateDirectory</c>. A start while another one uses it is refused.
    /// </summary>
    [LoggerMessage(110, LogLevel.Error, "Another server uses state directory {Directory}, too")]
    public static partial void StateShared(this ILogger logger, string? directory);

    /// <summary>
    /// The user of the server may not open file <c>lock</c> of the state directory, which may be left over from another
    /// user: give it, and whatever else is there, to the user of the server. A directory that is mounted to read only
    /// is meant to be read.
    /// </summary>
    [LoggerMessage(111, LogLevel.Warning,
        "State directory {Directory} cannot be locked, so that a second server with it would not be noticed: {Fault}")]
    public static partial void StateNotLocked(this ILogger logger, string? directory, string fault);

    /// <summary>
    /// A sink of the log, such as a standard output whose reader has stopped, took no lines, or fewer than came: 10,000
    /// wait, further ones are lost. Queries are answered. Logged when the sinks take lines again.
    /// </summary>
    [LoggerMessage(112, LogLevel.Warning, "Lines of the log were lost: {Count:N0}, its sinks did not take them")]
    public static partial void LogLinesLost(this ILogger logger, long count);
}
