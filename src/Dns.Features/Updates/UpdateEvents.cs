using Microsoft.Extensions.Logging;

namespace Dns.Features.Updates;

/// <summary>Events 951 to 999: zones that are updated by messages, and their journals.</summary>
public static partial class UpdateEvents
{
    /// <summary>An UPDATE message has changed a zone: client, key, numbers of records, and the new serial.</summary>
    [LoggerMessage(951, LogLevel.Information,
        "Zone {Zone} was updated by {Client}, key {Key}: records added {Added:N0}, removed {Removed:N0}, serial " +
            "{Serial}")]
    public static partial void ZoneUpdated(
        this ILogger logger, DomainName zone, string client, string key, int added, int removed, uint serial);

    /// <summary>
    /// An UPDATE message was refused, with the reason; at most a few lines a minute. See <c>Dns:AllowUpdate</c>.
    /// </summary>
    [LoggerMessage(952, LogLevel.Warning, "An update of {Zone} by {Client}, key {Key}, was refused: {Reason}")]
    public static partial void UpdateRefused(this ILogger logger, DomainName zone, string client, string key,
        string reason);

    /// <summary>
    /// Updates got SERVFAIL because they could not be written to disk: check the disk and the state directory. At most
    /// one line in ten seconds.
    /// </summary>
    [LoggerMessage(953, LogLevel.Error, "Updates of {Zone} cannot be saved and are refused: {Reason}")]
    public static partial void UpdateNotKept(this ILogger logger, DomainName zone, string reason);

    /// <summary>
    /// A crash or power failure interrupted the writing of an update, whose client got no response. No accepted update
    /// is lost; nothing needs to be done.
    /// </summary>
    [LoggerMessage(954, LogLevel.Warning,
        "An incomplete update at the end of the journal of {Zone} is not read: {Path}: {Loss}")]
    public static partial void JournalTorn(this ILogger logger, DomainName zone, string path, string loss);

    /// <summary>
    /// The disk has changed octets of a journal, or the journal is gone or empty: updates are lost. The named file, if
    /// there is one, has the rest of them. The serial is raised above those of the lost versions (by 100,000 if their
    /// number is unknown), so that secondaries transfer the zone again.
    /// </summary>
    [LoggerMessage(955, LogLevel.Error,
        "The journal of {Zone}, {Path}: {Loss}; the zone continues at serial {Serial} or above")]
    public static partial void JournalDamaged(this ILogger logger, DomainName zone, string path, string loss,
        uint serial);

    /// <summary>A file was edited while its zone has updates that it lacks: choose one of both by a command.</summary>
    [LoggerMessage(956, LogLevel.Error, "Zone {Zone}: {Conflict}")]
    public static partial void ZoneFileConflict(this ILogger logger, DomainName zone, string conflict);

    /// <summary>
    /// A defect of the server during an update of a zone, which got SERVFAIL: please report it. At most one in ten
    /// seconds.
    /// </summary>
    [LoggerMessage(957, LogLevel.Error, "Updating {Zone} failed{More}")]
    public static partial void UpdateCrashed(this ILogger logger, Exception error, DomainName zone, string more);

    /// <summary>A command has written a zone over its file; the previous file is kept beside it.</summary>
    [LoggerMessage(958, LogLevel.Information,
        "Zone {Zone} with serial {Serial} was written to {File}, which is kept as {Backup}")]
    public static partial void ZoneWritten(this ILogger logger, DomainName zone, uint serial, string file,
        string backup);

    /// <summary>A command has stopped or resumed updates of a zone.</summary>
    [LoggerMessage(959, LogLevel.Information, "Updates of {Zone} are {State}")]
    public static partial void UpdatesFrozen(this ILogger logger, DomainName zone, string state);

    /// <summary>
    /// What differs from the file takes too much memory to compact the journal, which grows until it is full and
    /// updates get SERVFAIL: the command empties it. One line for each quarter that it grows by.
    /// </summary>
    [LoggerMessage(960, LogLevel.Warning,
        "The journal of {Zone} has {Size:N0} MiB and cannot be compacted in memory: \"dnsd zone sync {Name}\" empties it")]
    public static partial void JournalNotCompacted(this ILogger logger, DomainName zone, double size, DomainName name);
}
