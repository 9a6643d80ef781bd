using Microsoft.Extensions.Logging;

namespace Dns.Features.RateLimiting;

/// <summary>Events 501 to 599: response rate limiting.</summary>
public static partial class RateLimitEvents
{
    /// <summary>
    /// What rate limiting would have done, with <c>Dns:RateLimit:Mode</c> log. At most one line a second.
    /// </summary>
    [LoggerMessage(501, LogLevel.Warning, "Rate limit: {Count} over the limit sent (mode log), the last to {Network}")]
    public static partial void RateLimitWouldAct(this ILogger logger, string count, IPNetwork network);

    /// <summary>
    /// What rate limiting has done. At most one line a second. For a network of many real clients:
    /// <c>Dns:RateLimit:Exempt</c>.
    /// </summary>
    [LoggerMessage(502, LogLevel.Warning,
        "Rate limit: {Dropped} dropped, {Slipped} sent empty with TC, the last to {Network}")]
    public static partial void RateLimitActs(this ILogger logger, string dropped, long slipped, IPNetwork network);
}
