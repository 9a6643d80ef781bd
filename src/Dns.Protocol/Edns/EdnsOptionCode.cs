namespace Dns.Protocol.Edns;

/// <summary>Codes of EDNS options (IANA DNS EDNS0 Option Codes).</summary>
public enum EdnsOptionCode : ushort
{
    /// <summary>Long-lived queries.</summary>
    Llq = 1,
    /// <summary>Name server identifier (RFC 5001).</summary>
    Nsid = 3,
    /// <summary>DNSSEC algorithm understood (RFC 6975).</summary>
    Dau = 5,
    /// <summary>DS hash understood (RFC 6975).</summary>
    Dhu = 6,
    /// <summary>NSEC3 hash understood (RFC 6975).</summary>
    N3u = 7,
    /// <summary>Client subnet (RFC 7871).</summary>
    ClientSubnet = 8,
    /// <summary>Zone expire timer (RFC 7314).</summary>
    Expire = 9,
    /// <summary>DNS cookies (RFC 7873, RFC 9018).</summary>
    Cookie = 10,
    /// <summary>TCP keepalive, in units of 100 ms (RFC 7828).</summary>
    TcpKeepalive = 11,
    /// <summary>Padding (RFC 7830).</summary>
    Padding = 12,
    /// <summary>CHAIN query (RFC 7901).</summary>
    Chain = 13,
    /// <summary>Key tags in use (RFC 8145).</summary>
    KeyTag = 14,
    /// <summary>Extended DNS error (RFC 8914).</summary>
    ExtendedError = 15,
    /// <summary>Agent domain for error reports (RFC 9567).</summary>
    ReportChannel = 18,
    /// <summary>Version of the zone answered from (RFC 9660).</summary>
    ZoneVersion = 19,
}
