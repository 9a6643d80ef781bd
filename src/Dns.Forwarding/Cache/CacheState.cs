namespace Dns.Forwarding.Cache;

/// <summary>The result of a cache lookup.</summary>
public enum CacheState : byte
{
    /// <summary>No usable answer: forward.</summary>
    Miss,

    /// <summary>The answer was copied.</summary>
    Fresh,

    /// <summary>Copied, popular, in the last tenth of its lifetime: prefetch it. Returned once for an entry.</summary>
    DueForRefresh,

    /// <summary>Expired, usable if no upstream answers (RFC 8767): forward; nothing was copied.</summary>
    Stale,

    /// <summary>Failed recently (RFC 9520): do not forward. The answer is stale, or SERVFAIL with the reason.</summary>
    Failure,
}
