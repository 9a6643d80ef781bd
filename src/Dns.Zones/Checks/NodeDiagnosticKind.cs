namespace Dns.Zones.Checks;

/// <summary>How the second pass finds the line of a <see cref="NodeDiagnostic"/>.</summary>
internal enum NodeDiagnosticKind : byte
{
    /// <summary>The first record of the name.</summary>
    FirstOfName,
    /// <summary>The first record of the type at the name.</summary>
    FirstOfType,
    /// <summary>The same; the message may name other owners of the zone.</summary>
    ChainGap,
    /// <summary>The record with which the name has a CNAME and a conflicting record.</summary>
    CnameBesideOther,
    /// <summary>The record with which the name has both a DNAME and an NS.</summary>
    NsBesideDname,
    /// <summary>The second record of the type that differs from the first.</summary>
    SecondOfType,
    /// <summary>The first record of the type whose TTL differs from the first one's.</summary>
    OtherTtl,
    /// <summary>The first record with this RDATA, which is wrong.</summary>
    Record,
    /// <summary>A record with this RDATA that is not the first.</summary>
    LaterCopy,
}
