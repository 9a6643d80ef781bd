using Microsoft.Extensions.Logging;

namespace Dns.Features.Transfers;

/// <summary>Events 901 to 919: zones given to secondaries, and the history that they need.</summary>
public static partial class TransferEvents
{
    /// <summary>
    /// A secondary has transferred a zone, or its changes. For transfers by UDP at most one line in ten seconds.
    /// </summary>
    [LoggerMessage(901, LogLevel.Information,
        "{Kind} of {Zone} to {Client}: serial {Serial}, {Records} in {Messages}, {Octets}, {Seconds:N2} s")]
    public static partial void TransferDone(
        this ILogger logger, string kind, DomainName zone, string client, uint serial, string records, string messages,
        string octets, double seconds);

    /// <summary>
    /// The secondary closed the connection or read less than 1 KiB in 30 s, the transfer took two hours, or this server
    /// stopped. The secondary retries.
    /// </summary>
    [LoggerMessage(902, LogLevel.Warning,
        "{Kind} of {Zone} to {Client} ended early: serial {Serial}, {Records} in {Messages}, {Octets}, {Seconds:N2} s")]
    public static partial void TransferEndedEarly(
        this ILogger logger, string kind, DomainName zone, string client, uint serial, string records, string messages,
        string octets, double seconds);

    /// <summary>The record is longer than any message: shorten it. Until then the zone cannot be transferred.</summary>
    [LoggerMessage(903, LogLevel.Error,
        "{Kind} of {Zone} to {Client} ended early: {Record} exceeds a message; serial {Serial}")]
    public static partial void TransferTooLarge(
        this ILogger logger, string kind, DomainName zone, string client, string? record, uint serial);

    /// <summary>
    /// Refused by <c>AllowTransfer</c>, the key, <c>Dns:Transfer:MaxOutgoing</c>, or the zone itself. At most one line
    /// in ten seconds.
    /// </summary>
    [LoggerMessage(904, LogLevel.Warning, "No transfer of {Zone} to {Client}: {Why}{More}")]
    public static partial void TransferRefused(this ILogger logger, DomainName zone, string client, string why,
        string more);

    /// <summary>
    /// After a crash or a power failure, or the disk has changed octets: secondaries get the whole zone where the
    /// differences are lost. The next version replaces the file. At most one line in ten seconds.
    /// </summary>
    [LoggerMessage(909, LogLevel.Warning, "Differences of {Zone} from before the start are lost: {Problem}{More}")]
    public static partial void HistoryBroken(this ILogger logger, DomainName zone, string problem, string more);

    /// <summary>
    /// Check the disk and the state directory. The zone is served; after a restart secondaries may get the whole zone.
    /// At most one line in ten seconds.
    /// </summary>
    [LoggerMessage(910, LogLevel.Warning, "Differences of {Zone} are not stored for the next start: {Reason}{More}")]
    public static partial void HistoryNotStored(this ILogger logger, DomainName zone, string reason, string more);
}
