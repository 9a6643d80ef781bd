namespace Dns.Answering;

/// <summary>What becomes of an answer at the limit.</summary>
internal enum RateLimitVerdict : byte
{
    /// <summary>It is sent.</summary>
    Passed,

    /// <summary>It is over the limit and not sent.</summary>
    Dropped,

    /// <summary>It is over the limit, and an empty one with TC is sent instead.</summary>
    Slipped,

    /// <summary>It is over the limit and sent, because over the limit is only counted.</summary>
    Counted,
}
