namespace Dns.Forwarding;

/// <summary>What the cache knows about a question.</summary>
public enum CacheState : byte
{
    /// <summary>Nothing that may be given: ask.</summary>
    Miss,

    /// <summary>The answer has been copied.</summary>
    Fresh,

    /// <summary>
    /// The answer has been copied; it is popular and in the last tenth of its life: ask again, nobody waits for it. Said once
    /// for an entry.
    /// </summary>
    DueForRefresh,

    /// <summary>Expired, and good enough where nobody answers (RFC 8767): ask; nothing has been copied.</summary>
    Stale,

    /// <summary>
    /// Asked in vain a moment ago (RFC 9520): do not ask. What is left of an expired answer has been copied; if nothing is, the
    /// answer is SERVFAIL with the reason.
    /// </summary>
    Failure,
}
