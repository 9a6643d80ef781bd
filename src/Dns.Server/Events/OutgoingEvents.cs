using Dns.Protocol;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>Events 901 to 919: zones given to secondaries, and secondaries notified.</summary>
internal static partial class OutgoingEvents
{
    /// <summary>A secondary has a zone, or its changes. Of changes in datagrams one line in ten seconds.</summary>
    [LoggerMessage(901, LogLevel.Information,
        "{Kind} of {Zone} to {Client}: serial {Serial}, {Records} in {Messages}, {Octets}, {Seconds:N2} s")]
    public static partial void TransferDone(
        this ILogger logger, string kind, DomainName zone, string client, uint serial, string records, string messages, string octets,
        double seconds);

    /// <summary>The secondary closed the connection or took less than 1 KiB in 30 s, or this server stopped. It tries again.</summary>
    [LoggerMessage(902, LogLevel.Warning,
        "{Kind} of {Zone} to {Client} ended early: serial {Serial}, {Records} in {Messages}, {Octets}, {Seconds:N2} s")]
    public static partial void TransferEndedEarly(
        this ILogger logger, string kind, DomainName zone, string client, uint serial, string records, string messages, string octets,
        double seconds);

    /// <summary>The record is longer than any message: make it shorter. Until then the zone cannot be transferred.</summary>
    [LoggerMessage(903, LogLevel.Error, "{Kind} of {Zone} to {Client} ended early: {Record} fits into no message; serial {Serial}")]
    public static partial void TransferTooLarge(
        this ILogger logger, string kind, DomainName zone, string client, string? record, uint serial);

    /// <summary><c>AllowTransfer</c>, the key, <c>Dns:Transfer:MaxOutgoing</c>, or the zone itself. One line in ten seconds.</summary>
    [LoggerMessage(904, LogLevel.Warning, "No transfer of {Zone} to {Client}: {Why}{More}")]
    public static partial void TransferRefused(this ILogger logger, DomainName zone, string client, string why, string more);

    /// <summary>It is down, or a filter is in between, or it does not take what is signed so. Said once; it is tried on.</summary>
    [LoggerMessage(905, LogLevel.Warning, "{Target} does not answer notifications, the first of {Zone}{Unproven}")]
    public static partial void NotifyUnanswered(this ILogger logger, PeerAddress target, DomainName zone, string unproven);

    /// <summary>It is back.</summary>
    [LoggerMessage(906, LogLevel.Information, "{Target} answers notifications again")]
    public static partial void NotifyAnswered(this ILogger logger, PeerAddress target);

    /// <summary>It is no secondary of the zone, or does not take notifications from here. A line in ten seconds at most.</summary>
    [LoggerMessage(907, LogLevel.Warning, "{Target} answers the notification of {Zone} with {Rcode}{More}")]
    public static partial void NotifyRefused(this ILogger logger, PeerAddress target, DomainName zone, string rcode, string more);

    /// <summary>The key of <c>Notify</c> is not in <c>Dns:TsigKeys</c>. A line in ten seconds at most.</summary>
    [LoggerMessage(908, LogLevel.Error, "{Target} is not notified of {Zone}: its key is not known{More}")]
    public static partial void NotifyKeyUnknown(this ILogger logger, PeerAddress target, DomainName zone, string more);
}
