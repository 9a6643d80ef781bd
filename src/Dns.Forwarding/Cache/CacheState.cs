namespace Dns.Forwarding;

/// <summary>The result of a cache lookup.</summary>
public enum CacheState : byte
{
    /// <summary>No usable answer: forward.</summary>
    Miss,

    /// <summary>The answer was copied.</summary>
    Fresh,

    /// <summary>
    /// The answer was copied; it is popular and in the last tenth of its lifetime: refresh it in the background.
    /// Returned once for an entry.
    /// </summary>
    DueForRefresh,

    /// <summary>Expired, usable if no upstream answers (RFC 8767): forward; nothing was copied.</summary>
    Stale,

    /// <summary>
    /// Failed recently (RFC 9520): do not forward. A stale answer was copied if there is one; else the answer is
    /// SERVFAIL with the reason.
    /// </summary>
    Failure,
}
