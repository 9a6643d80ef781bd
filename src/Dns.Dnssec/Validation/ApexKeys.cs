namespace Dns.Dnssec.Validation;

/// <summary>The keys at the apex of a zone, and the algorithms that must sign it (RFC 4035 §2.2).</summary>
internal sealed class ApexKeys
{
    private ApexKeys(IReadOnlyList<Dnskey> keys)
    {
        Keys = keys;
        Algorithms =
            [.. keys.Where(key => key.IsZoneKey && !key.IsRevoked).Select(key => key.Algorithm).Distinct().Order()];
        HasSep = keys.Any(key => key.IsZoneKey && !key.IsRevoked && key.IsSep);
    }

    /// <summary>All keys.</summary>
    internal IReadOnlyList<Dnskey> Keys { get; }

    /// <summary>The algorithms of keys that may sign.</summary>
    internal IReadOnlyList<DnssecAlgorithm> Algorithms { get; }

    /// <summary>Whether one of them is a secure entry point.</summary>
    internal bool HasSep { get; }

    internal static ApexKeys Of(Zone zone)
    {
        List<Dnskey> keys = [];
        if (zone.ApexNode.TryFind(RRType.DNSKEY, out RRset rrset))
            foreach (ReadOnlySpan<byte> rdata in rrset)
                if (Dnskey.TryRead(rdata, out Dnskey? key)) keys.Add(key);
        return new ApexKeys(keys);
    }
}
