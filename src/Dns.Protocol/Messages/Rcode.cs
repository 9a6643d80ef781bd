namespace Dns.Protocol.Messages;

/// <summary>Response codes (IANA DNS RCODEs). Those above 15 need OPT (RFC 6891 §6.1.3) or are in TSIG.</summary>
public enum Rcode : ushort
{
    /// <summary>No error.</summary>
    NoError = 0,
    /// <summary>The message is malformed.</summary>
    FormErr = 1,
    /// <summary>The server failed.</summary>
    ServFail = 2,
    /// <summary>The name does not exist.</summary>
    NXDomain = 3,
    /// <summary>The kind of request is not implemented.</summary>
    NotImp = 4,
    /// <summary>Refused by policy.</summary>
    Refused = 5,
    /// <summary>A name exists that should not (RFC 2136, RFC 6672 §2.2).</summary>
    YXDomain = 6,
    /// <summary>An RRset exists that should not (RFC 2136).</summary>
    YXRRSet = 7,
    /// <summary>An RRset that should exist does not (RFC 2136).</summary>
    NXRRSet = 8,
    /// <summary>Not authoritative for the zone (RFC 2136), or not authorised (RFC 8945).</summary>
    NotAuth = 9,
    /// <summary>A name is not within the zone (RFC 2136).</summary>
    NotZone = 10,
    /// <summary>DSO-TYPE not implemented (RFC 8490).</summary>
    DsoTypeNI = 11,
    /// <summary>EDNS version not supported (RFC 6891), or TSIG signature failure (RFC 8945).</summary>
    BadVers = 16,
    /// <summary>TSIG key not recognised (RFC 8945).</summary>
    BadKey = 17,
    /// <summary>TSIG signature out of its time window (RFC 8945).</summary>
    BadTime = 18,
    /// <summary>TKEY mode not supported (RFC 2930).</summary>
    BadMode = 19,
    /// <summary>Duplicate key name (RFC 2930).</summary>
    BadName = 20,
    /// <summary>Algorithm not supported (RFC 2930).</summary>
    BadAlg = 21,
    /// <summary>MAC truncated too far (RFC 8945).</summary>
    BadTrunc = 22,
    /// <summary>Bad or missing server cookie (RFC 7873).</summary>
    BadCookie = 23,
}
