using Microsoft.Extensions.Logging;

namespace Dns.Features.Secondary;

/// <summary>Events 1001 to 1099: zones that are copied from primaries.</summary>
public static partial class SecondaryEvents
{
    /// <summary>A new version is on disk and served.</summary>
    [LoggerMessage(1001, LogLevel.Information,
        "Zone {Zone} from {Primary}: {From} to serial {Serial} by {Kind}, {Records} in {Octets:N0} octets and " +
            "{Seconds:N2} s")]
    public static partial void ZoneTransferred(
        this ILogger logger, DomainName zone, PeerAddress primary, string from, uint serial, string kind,
        string records, long octets, double seconds);

    /// <summary>
    /// A transferred zone has a warning that it did not have before. It is served: inform the operator of its primary.
    /// </summary>
    [LoggerMessage(1002, LogLevel.Warning, "Zone {Zone}, as transferred: {Warning}")]
    public static partial void ZoneTransferOdd(this ILogger logger, DomainName zone, string warning);

    /// <summary>
    /// No primary could be used; the last version is served until it expires. Once an hour for each reason.
    /// </summary>
    [LoggerMessage(1003, LogLevel.Warning,
        "Zone {Zone} cannot be refreshed, the last primary was {Primary}: {Why}; serial {Serial} is still served")]
    public static partial void ZoneNotRefreshed(this ILogger logger, DomainName zone, PeerAddress primary, string why,
        uint serial);

    /// <summary>
    /// No primary could be used, and there is no version: the zone answers SERVFAIL. Once an hour for each reason.
    /// </summary>
    [LoggerMessage(1004, LogLevel.Error,
        "Zone {Zone} cannot be transferred and answers SERVFAIL, the last primary was {Primary}: {Why}")]
    public static partial void ZoneNotTransferred(this ILogger logger, DomainName zone, PeerAddress primary,
        string why);

    /// <summary>A primary can be used again, after D1003 or D1004.</summary>
    [LoggerMessage(1005, LogLevel.Information, "Zone {Zone} is refreshed again, with serial {Serial}")]
    public static partial void ZoneRefreshedAgain(this ILogger logger, DomainName zone, uint serial);

    /// <summary>
    /// No primary has confirmed the zone within EXPIRE of its SOA: it answers SERVFAIL until one does.
    /// </summary>
    [LoggerMessage(1006, LogLevel.Error, "Zone {Zone} has expired with serial {Serial} and answers SERVFAIL")]
    public static partial void ZoneExpired(this ILogger logger, DomainName zone, uint serial);

    /// <summary>The copy in the state directory is damaged. Nothing needs to be done; check the disk.</summary>
    [LoggerMessage(1007, LogLevel.Warning, "The copy of zone {Zone} is damaged: {Problem}; {Then}")]
    public static partial void ZoneCopyBroken(this ILogger logger, DomainName zone, string problem, string then);

    /// <summary>A sender who is not allowed to has sent NOTIFY. At most one line in ten seconds.</summary>
    [LoggerMessage(1008, LogLevel.Warning,
        "NOTIFY of zone {Zone} from {Client} is refused: {Reason} (Primaries, AllowNotify)")]
    public static partial void NotifyRefused(this ILogger logger, DomainName zone, ClientAddress client, string reason);

    /// <summary>A defect of the server: please report it. The zone is retried.</summary>
    [LoggerMessage(1009, LogLevel.Error, "Refreshing zone {Zone} failed")]
    public static partial void SecondaryFault(this ILogger logger, Exception error, DomainName zone);

    /// <summary>
    /// Without a state directory each start transfers all zones again, and serves none whose primaries are down.
    /// </summary>
    [LoggerMessage(1010, LogLevel.Warning, "Transferred zones are not saved: Dns:StateDirectory is not set")]
    public static partial void SecondariesNotKept(this ILogger logger);
}
