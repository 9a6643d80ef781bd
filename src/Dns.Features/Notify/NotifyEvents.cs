using Microsoft.Extensions.Logging;

namespace Dns.Features.Notify;

/// <summary>Events 905 to 908: secondaries that are notified.</summary>
public static partial class NotifyEvents
{
    /// <summary>
    /// It is down, a firewall is in between, or it does not accept this key. Logged once; later changes are still
    /// notified.
    /// </summary>
    [LoggerMessage(905, LogLevel.Warning, "{Target} does not answer notifications, the first of {Zone}{Unproven}")]
    public static partial void NotifyUnanswered(this ILogger logger, PeerAddress target, DomainName zone,
        string unproven);

    /// <summary>The server answers notifications again.</summary>
    [LoggerMessage(906, LogLevel.Information, "{Target} answers notifications again")]
    public static partial void NotifyAnswered(this ILogger logger, PeerAddress target);

    /// <summary>
    /// It is not a secondary of the zone, or does not accept notifications from here. At most one line in ten seconds.
    /// </summary>
    [LoggerMessage(907, LogLevel.Warning, "{Target} answers the notification of {Zone} with {Rcode}{More}")]
    public static partial void NotifyRefused(this ILogger logger, PeerAddress target, DomainName zone, string rcode,
        string more);

    /// <summary><c>Dns:TsigKeys</c> does not have the key of <c>Notify</c>. At most one line in ten seconds.</summary>
    [LoggerMessage(908, LogLevel.Error, "{Target} is not notified of {Zone}: its key is unknown{More}")]
    public static partial void NotifyKeyUnknown(this ILogger logger, PeerAddress target, DomainName zone, string more);
}
