using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Events;

/// <summary>Events 201 to 299: zones and their files.</summary>
public static partial class ZoneEvents
{
    /// <summary>All zones have been read for the first time.</summary>
    [LoggerMessage(201, LogLevel.Information, "Serving {Zones} with {Records}, loaded in {Seconds:N2} s")]
    public static partial void ZonesLoaded(this ILogger logger, string zones, string records, double seconds);

    /// <summary>How many zones could not be loaded at the start; earlier lines give the reasons.</summary>
    [LoggerMessage(202, LogLevel.Error, "Zones that are not served and answer SERVFAIL: {Count:N0}")]
    public static partial void ZonesNotServed(this ILogger logger, int count);

    /// <summary>
    /// The zone answers SERVFAIL until its file is corrected at the location that this line, or earlier lines, name.
    /// </summary>
    [LoggerMessage(203, LogLevel.Error, "Zone {Zone} is not served and answers SERVFAIL: {Why}")]
    public static partial void ZoneNotServed(this ILogger logger, DomainName zone, string why);

    /// <summary>The new version has errors; the last good version is still served.</summary>
    [LoggerMessage(204, LogLevel.Error, "Zone {Zone} is still served with serial {Serial}: {Why}")]
    public static partial void ZoneStillServed(this ILogger logger, DomainName zone, uint serial, string why);

    /// <summary>
    /// One of several errors in a zone file, with its location; the line after them reports how the zone is served.
    /// </summary>
    [LoggerMessage(205, LogLevel.Error, "{Diagnostic}")]
    public static partial void ZoneError(this ILogger logger, ZoneDiagnostic diagnostic);

    /// <summary>A warning about a zone that is served.</summary>
    [LoggerMessage(206, LogLevel.Warning, "{Diagnostic}")]
    public static partial void ZoneWarning(this ILogger logger, ZoneDiagnostic diagnostic);

    /// <summary>There are very many warnings: only the first ones have a line each.</summary>
    [LoggerMessage(208, LogLevel.Warning, "{Count}: dnsd check shows all")]
    public static partial void MoreZoneWarnings(this ILogger logger, string count);

    /// <summary>A defect of the server while it read a zone: please report it.</summary>
    [LoggerMessage(209, LogLevel.Error, "Zone {Zone} is not served: reading {File} failed")]
    public static partial void ZoneReadingFailed(this ILogger logger, Exception error, DomainName zone, string file);

    /// <summary>
    /// The data has changed and the serial has not increased. It is served, but secondaries compare the serial only:
    /// increase it.
    /// </summary>
    [LoggerMessage(210, LogLevel.Warning,
        "Zone {Zone}: serial {Serial} is not above {Before}, served until now: secondaries will not notice")]
    public static partial void SerialNotAbove(this ILogger logger, DomainName zone, uint serial, uint before);

    /// <summary>A zone has changed and the new version is served.</summary>
    [LoggerMessage(211, LogLevel.Information, "Zone {Zone} is served: serial {Serial}, {Records}")]
    public static partial void ZoneServed(this ILogger logger, DomainName zone, uint serial, string records);

    /// <summary>The same at the start, and for all but the first zones of a large reload.</summary>
    [LoggerMessage(212, LogLevel.Debug, "Zone {Zone} is served: serial {Serial}, {Records}")]
    public static partial void FurtherZoneServed(this ILogger logger, DomainName zone, uint serial, string records);

    /// <summary>A zone file was written without a change of its records.</summary>
    [LoggerMessage(213, LogLevel.Debug, "Zone {Zone} is unchanged: serial {Serial}")]
    public static partial void ZoneUnchanged(this ILogger logger, DomainName zone, uint serial);

    /// <summary>
    /// Its file was removed from a directory, it was removed from the settings, or by <c>dnsd zone remove</c>.
    /// </summary>
    [LoggerMessage(214, LogLevel.Information, "Zone {Zone} is not served any more")]
    public static partial void ZoneRemoved(this ILogger logger, DomainName zone);

    /// <summary>Progress of reading a very large zone.</summary>
    [LoggerMessage(215, LogLevel.Information, "Reading zone {Zone}: {Records} so far")]
    public static partial void ReadingZone(this ILogger logger, DomainName zone, string records);

    /// <summary>Progress of reading very many zones.</summary>
    [LoggerMessage(216, LogLevel.Information, "Read {Read:N0} of {Zones}")]
    public static partial void ReadingZones(this ILogger logger, int read, string zones);

    /// <summary>The result of a reload.</summary>
    [LoggerMessage(217, LogLevel.Information,
        "Zones are up to date: {Read:N0} read in {Milliseconds:N0} ms, {Failed:N0} of them with errors; "
            + "{Added:N0} added, {Removed:N0} removed")]
    public static partial void ZonesReloaded(
        this ILogger logger, int read, double milliseconds, int failed, int added, int removed);

    /// <summary>
    /// A zone directory cannot be read, or a file in it is not named after a zone, or names a zone that is served from
    /// another file.
    /// </summary>
    [LoggerMessage(218, LogLevel.Error, "{Problem}")]
    public static partial void ZoneDirectoryProblem(this ILogger logger, string problem);

    /// <summary>No file of a zone directory matches its pattern: directory or pattern is probably misspelt.</summary>
    [LoggerMessage(219, LogLevel.Warning, "{Problem}")]
    public static partial void ZoneDirectoryEmpty(this ILogger logger, string problem);

    /// <summary>The file of a zone is valid again, and has the records that are served.</summary>
    [LoggerMessage(220, LogLevel.Information, "Zone {Zone}: {File} is valid again, with the served serial {Serial}")]
    public static partial void ZoneValidAgain(this ILogger logger, DomainName zone, string file, uint serial);

    /// <summary>
    /// A file name in a zone directory has blanks, parentheses or the like, as copies have. The zone is served.
    /// </summary>
    [LoggerMessage(221, LogLevel.Warning, "{Problem}")]
    public static partial void ZoneNameUnusual(this ILogger logger, string problem);

    /// <summary>
    /// A zone of the settings was removed by a command, or a zone added by a command is also in the settings, which
    /// take precedence.
    /// </summary>
    [LoggerMessage(222, LogLevel.Warning, "{Note}")]
    public static partial void ZoneChangedByHand(this ILogger logger, string note);

    /// <summary>Zones added and removed by commands before the start are restored.</summary>
    [LoggerMessage(223, LogLevel.Information, "Zones added or removed by commands: {Count:N0}, from {File}")]
    public static partial void ZonesByHand(this ILogger logger, int count, string? file);

    /// <summary>
    /// Two sources have the same zone: the first one named is served, by precedence. Remove the zone from one of them.
    /// </summary>
    [LoggerMessage(225, LogLevel.Warning, "{Conflict}")]
    public static partial void ZoneConflict(this ILogger logger, string conflict);

    /// <summary>
    /// Zones added by commands are not served, and removed ones are: repair the file, or move it away.
    /// </summary>
    [LoggerMessage(224, LogLevel.Error, "Zones added and removed by commands are unknown: {Problem}")]
    public static partial void ZoneStateNotRead(this ILogger logger, string problem);

    /// <summary>
    /// Signatures of a zone that is signed elsewhere have expired, or expire within three days: have it signed again.
    /// </summary>
    [LoggerMessage(226, LogLevel.Warning, "Zone {Zone}: {Why}")]
    public static partial void SignaturesLate(this ILogger logger, DomainName zone, string why);
}
