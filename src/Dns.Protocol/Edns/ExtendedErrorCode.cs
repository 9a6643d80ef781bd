namespace Dns.Protocol.Edns;

/// <summary>INFO-CODEs of the extended DNS error option (IANA Extended DNS Error Codes, RFC 8914).</summary>
public enum ExtendedErrorCode : ushort
{
    /// <summary>Anything not covered by another code.</summary>
    Other = 0,
    /// <summary>Stale data was served.</summary>
    StaleAnswer = 3,
    /// <summary>A policy forged the answer.</summary>
    ForgedAnswer = 4,
    /// <summary>A failure was answered from the cache.</summary>
    CachedError = 13,
    /// <summary>The server is not ready: the zone is still loading.</summary>
    NotReady = 14,
    /// <summary>Blocked by the operator.</summary>
    Blocked = 15,
    /// <summary>Prohibited: the client is not on the access list.</summary>
    Prohibited = 18,
    /// <summary>Stale NXDOMAIN was served.</summary>
    StaleNxDomain = 19,
    /// <summary>Not authoritative for the name, and recursion is not offered.</summary>
    NotAuthoritative = 20,
    /// <summary>The operation is not supported.</summary>
    NotSupported = 21,
    /// <summary>No upstream could be reached.</summary>
    NoReachableAuthority = 22,
    /// <summary>A network error between this server and an upstream.</summary>
    NetworkError = 23,
    /// <summary>The zone's data cannot be used: broken or expired.</summary>
    InvalidData = 24,
    /// <summary>Too early (RFC 9250).</summary>
    TooEarly = 26,
    /// <summary>The question is not valid (IANA: Invalid Query Type).</summary>
    InvalidQueryType = 30,
}
