namespace Dns.Protocol.Messages;

/// <summary>Classes of records and questions (IANA DNS CLASSes).</summary>
public enum RRClass : ushort
{
    /// <summary>Internet.</summary>
    IN = 1,
    /// <summary>Chaos; has information about servers (RFC 4892).</summary>
    CH = 3,
    /// <summary>Hesiod.</summary>
    HS = 4,
    /// <summary>No class; used by UPDATE (RFC 2136).</summary>
    NONE = 254,
    /// <summary>Any class; a QCLASS only.</summary>
    ANY = 255,
}
