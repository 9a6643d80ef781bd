namespace Dns.Dnssec.Validation;

/// <summary>What the types in a record prove, and do not prove (RFC 6840 §4).</summary>
internal static class DenialTypeRules
{
    /// <summary>Whether the name is a delegation, seen from above, or has a DNAME, and so ends the zone.</summary>
    internal static bool IsEndOfZone(ReadOnlySpan<byte> types) =>
        IsCut(types) || TypeBits.Contains(types, RRType.DNAME);

    /// <summary>Whether the name is a delegation, seen from above.</summary>
    internal static bool IsCut(ReadOnlySpan<byte> types) =>
        TypeBits.Contains(types, RRType.NS) && !TypeBits.Contains(types, RRType.SOA);

    /// <summary>Whether the name does not exist, though it has a record (RFC 9824 §2).</summary>
    internal static bool IsNoName(ReadOnlySpan<byte> types) => TypeBits.Contains(types, RRType.NXNAME);

    /// <summary>Whether the record at a name proves that a type does not exist.</summary>
    internal static DenialVerdict Lacks(ReadOnlySpan<byte> types, RRType type, ReadOnlySpan<byte> name, out bool isCut)
    {
        isCut = IsCut(types);
        if (TypeBits.Contains(types, type) || TypeBits.Contains(types, RRType.CNAME)) return DenialVerdict.NotProven;
        // DS is above the cut, all other types below it.
        bool isOfOtherSide = type == RRType.DS ? TypeBits.Contains(types, RRType.SOA) && name.Length > 1 : isCut;
        return isOfOtherSide ? DenialVerdict.NotProven : DenialVerdict.Proven;
    }
}
