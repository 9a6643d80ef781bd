namespace Dns.Answering.Parsing;

/// <summary>Meta-types, which have no data (RFC 6895 §3.1). ANY is answered from data and excluded here.</summary>
internal static class MetaTypes
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool Has(RRType type) => type >= RRType.OPT && HasAboveData(type);

    // Frequent types are below OPT.
    private static bool HasAboveData(RRType type) =>
        type is RRType.OPT or RRType.NXNAME or (>= RRType.TKEY and <= RRType.MAILA);

    /// <summary>The RCODE of a query for a meta-type without a handler.</summary>
    /// <param name="isApex">Whether a zone served has the question's name.</param>
    internal static Rcode RcodeOf(RRType type, bool isApex) => type switch
    {
        RRType.MAILA or RRType.MAILB => Rcode.NotImp,
        // No zone transfer over datagrams (RFC 5936 §4.2) nor without permission; NOTAUTH if not served (§2.2.1).
        RRType.AXFR or RRType.IXFR => isApex ? Rcode.Refused : Rcode.NotAuth,
        // OPT, TSIG and TKEY exist in messages only, NXNAME in type bitmaps only (RFC 9824 §3.5).
        _ => Rcode.FormErr,
    };
}
