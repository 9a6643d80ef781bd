namespace Dns.Answering.RateLimiting;

/// <summary>The verdict of the rate limiter.</summary>
internal enum RateLimitVerdict : byte
{
    /// <summary>Sent.</summary>
    Passed,

    /// <summary>Over the limit, dropped.</summary>
    Dropped,

    /// <summary>Over the limit, replaced by an empty answer with TC.</summary>
    Slipped,

    /// <summary>Over the limit, counted and sent.</summary>
    Counted,
}
