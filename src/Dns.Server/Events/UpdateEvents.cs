using Dns.Protocol;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>Events 951 to 999: zones that are updated by messages, and their journals.</summary>
internal static partial class UpdateEvents
{
    /// <summary>An UPDATE message has changed a zone: who, with which key, how many records, and the serial since.</summary>
    [LoggerMessage(951, LogLevel.Information,
        "Zone {Zone} was updated by {Client}, key {Key}: records added {Added:N0}, removed {Removed:N0}, serial {Serial}")]
    public static partial void ZoneUpdated(
        this ILogger logger, DomainName zone, string client, string key, int added, int removed, uint serial);

    /// <summary>An UPDATE message was refused, and why; a few lines a minute at most. Dns:AllowUpdate says who may.</summary>
    [LoggerMessage(952, LogLevel.Warning, "An update of {Zone} by {Client}, key {Key}, was refused: {Reason}")]
    public static partial void UpdateRefused(this ILogger logger, DomainName zone, string client, string key, string reason);

    /// <summary>Updates got SERVFAIL because they could not be written to disk: look at the disk and the state directory.</summary>
    [LoggerMessage(953, LogLevel.Error, "Updates of {Zone} cannot be kept and are not taken: {Reason}")]
    public static partial void UpdateNotKept(this ILogger logger, DomainName zone, string reason);

    /// <summary>A crash or a power failure has cut an update short that was never acknowledged. Nothing is to be done.</summary>
    [LoggerMessage(954, LogLevel.Warning, "The journal of {Zone}, {Path}: {Loss}")]
    public static partial void JournalTorn(this ILogger logger, DomainName zone, string path, string loss);

    /// <summary>The disk has changed octets of a journal: updates are lost. The file that is named has what is left of them.</summary>
    [LoggerMessage(955, LogLevel.Error, "The journal of {Zone}, {Path}: {Loss}")]
    public static partial void JournalDamaged(this ILogger logger, DomainName zone, string path, string loss);

    /// <summary>A file was edited though its zone has updates that it does not have: say with a command which of both is meant.</summary>
    [LoggerMessage(956, LogLevel.Error, "Zone {Zone}: {Conflict}")]
    public static partial void ZoneFileConflict(this ILogger logger, DomainName zone, string conflict);

    /// <summary>A fault of the server while it updated a zone: please report it.</summary>
    [LoggerMessage(957, LogLevel.Error, "Updating {Zone} failed")]
    public static partial void UpdateCrashed(this ILogger logger, Exception error, DomainName zone);

    /// <summary>A command has written a zone over its file; what the file was is beside it.</summary>
    [LoggerMessage(958, LogLevel.Information, "Zone {Zone} with serial {Serial} was written to {File}, which is kept as {Backup}")]
    public static partial void ZoneWritten(this ILogger logger, DomainName zone, uint serial, string file, string backup);

    /// <summary>A command has stopped updates of a zone, or lets them go on.</summary>
    [LoggerMessage(959, LogLevel.Information, "Updates of {Zone} are {State}")]
    public static partial void UpdatesFrozen(this ILogger logger, DomainName zone, string state);
}
