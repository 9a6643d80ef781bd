using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>Types that are no data and cannot be looked up (RFC 6895 §3.1); ANY is answered from data, and is none of them.</summary>
internal static class MetaTypes
{
    /// <summary>Whether a type is one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool Has(RRType type) => type >= RRType.OPT && HasAboveData(type);

    // All that is asked for often is below OPT.
    private static bool HasAboveData(RRType type) =>
        type is RRType.OPT or RRType.NXNAME or (>= RRType.TKEY and <= RRType.MAILA);

    /// <summary>What a query for one is answered with where nothing handles it.</summary>
    /// <param name="type">The type.</param>
    /// <param name="isApex">Whether a zone served has the question's name.</param>
    internal static Rcode RcodeOf(RRType type, bool isApex) => type switch
    {
        RRType.MAILA or RRType.MAILB => Rcode.NotImp,
        // Zones are not given out over datagrams (RFC 5936 §4.2), nor to anybody without permission; what is no zone of ours
        // cannot be (§2.2.1).
        RRType.AXFR or RRType.IXFR => isApex ? Rcode.Refused : Rcode.NotAuth,
        // OPT, TSIG and TKEY stand in messages alone, NXNAME in type bitmaps alone (RFC 9824 §3.4).
        _ => Rcode.FormErr,
    };
}
