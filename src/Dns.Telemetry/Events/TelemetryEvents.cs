using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Events;

/// <summary>Events 701 to 799: the admin port and what is sent elsewhere.</summary>
public static partial class TelemetryEvents
{
    /// <summary>The address of status page, metrics and health checks.</summary>
    [LoggerMessage(701, LogLevel.Information, "Admin port on http://{Address}/")]
    public static partial void AdminPort(this ILogger logger, IPEndPoint address);

    /// <summary>Queries are answered, the admin port does not work.</summary>
    [LoggerMessage(702, LogLevel.Error, "The admin port does not work")]
    public static partial void AdminPortFailed(this ILogger logger, Exception error);

    /// <summary>The server that this one replaces has kept the port longer than expected.</summary>
    [LoggerMessage(703, LogLevel.Warning, "{Problem}; retrying")]
    public static partial void AdminPortTaken(this ILogger logger, string? problem);

    /// <summary>Metrics, and traces if enabled, are sent by OTLP.</summary>
    [LoggerMessage(704, LogLevel.Information, "Sending metrics{Traces} to {Address}")]
    public static partial void SendingMetrics(this ILogger logger, string traces, Uri address);

    /// <summary>
    /// The query log or dnstap is too slow or cannot be written; queries are answered. At most one line a minute.
    /// </summary>
    [LoggerMessage(705, LogLevel.Warning, "Records of {Sink} were lost: {Count:N0}, {Why}")]
    public static partial void RecordsLost(this ILogger logger, string sink, long count, string why);

    /// <summary>The OTLP collector cannot be reached, or refuses. Logged once; it is retried every minute.</summary>
    [LoggerMessage(706, LogLevel.Warning, "{What} are not accepted by {Address}: {Why}")]
    public static partial void CollectorFails(this ILogger logger, string what, Uri address, string why);

    /// <summary>The OTLP collector accepts data again.</summary>
    [LoggerMessage(707, LogLevel.Information, "{What} are accepted by {Address} again")]
    public static partial void CollectorWorks(this ILogger logger, string what, Uri address);

    /// <summary>
    /// Logged at the start, mostly because another server uses the port: queries are answered, without status page and
    /// metrics.
    /// </summary>
    [LoggerMessage(708, LogLevel.Warning, "{Problem}: this server has no status page and no metrics")]
    public static partial void NoAdminPort(this ILogger logger, string? problem);
}
