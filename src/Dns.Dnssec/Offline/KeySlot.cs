namespace Dns.Dnssec.Offline;

/// <summary>The DNSKEY RRset from a time on, with CDS, CDNSKEY and signatures of the offline KSK. Immutable.</summary>
/// <param name="Start">When it is first served.</param>
/// <param name="Ttl">The TTL of the three RRsets in seconds.</param>
public sealed record KeySlot(DateTimeOffset Start, uint Ttl)
{
    /// <summary>The keys; ZSKs in the order in which they sign.</summary>
    public IReadOnlyList<Dnskey> Keys { get; init; } = [];

    /// <summary>RDATA of the CDS records.</summary>
    public IReadOnlyList<byte[]> Cds { get; init; } = [];

    /// <summary>RDATA of the CDNSKEY records.</summary>
    public IReadOnlyList<byte[]> Cdnskey { get; init; } = [];

    /// <summary>RDATA of the RRSIG records over the three RRsets; none in a request.</summary>
    public IReadOnlyList<byte[]> Signatures { get; init; } = [];

    /// <summary>The ZSKs in the order in which they sign.</summary>
    public IEnumerable<Dnskey> Zsks => Keys.Where(key => !key.IsSep);

    /// <summary>The KSKs.</summary>
    public IEnumerable<Dnskey> Ksks => Keys.Where(key => key.IsSep);

    /// <summary>When the first signature expires; the start without signatures.</summary>
    public DateTimeOffset End => Signatures.Count == 0 ? Start : Signatures.Min(EndOf);

    /// <summary>The keys in CDS.</summary>
    public KeyIds CdsKeys =>
        KeyIds.Of(Ksks.Where(key => Cdnskey.Any(rdata => key.Rdata.SequenceEqual(rdata))).Select(IdOf));

    /// <summary>Whether another slot has the same start, keys and signatures.</summary>
    internal bool IsSame(KeySlot other) => other.Start == Start && other.Ttl == Ttl && other.Keys.SequenceEqual(Keys)
        && other.Signatures.Count == Signatures.Count
        && other.Signatures.Zip(Signatures).All(pair => pair.First.AsSpan().SequenceEqual(pair.Second));

    /// <summary>The id of a key.</summary>
    public static KeyId IdOf(Dnskey key) => new(key.Algorithm, key.Tag);

    /// <summary>The slot of a served version of a zone.</summary>
    internal static KeySlot Of(Zone signed, DateTimeOffset start)
    {
        ZoneNode apex = signed.ApexNode;
        List<Dnskey> keys = [];
        foreach (byte[] rdata in RecordsOf(apex, RRType.DNSKEY))
            if (Dnskey.TryRead(rdata, out Dnskey? key)) keys.Add(key);
        List<byte[]> signatures = [];
        foreach (RRType type in (RRType[])[RRType.DNSKEY, RRType.CDS, RRType.CDNSKEY])
            if (apex.TryFindSignatures(type, out RRset rrset))
                foreach (ReadOnlySpan<byte> rdata in rrset) signatures.Add(rdata.ToArray());
        uint ttl = apex.TryFind(RRType.DNSKEY, out RRset dnskeys) ? dnskeys.Ttl : 0;
        return new KeySlot(start, ttl)
        {
            Keys = keys, Cds = RecordsOf(apex, RRType.CDS), Cdnskey = RecordsOf(apex, RRType.CDNSKEY),
            Signatures = signatures,
        };
    }

    private DateTimeOffset EndOf(byte[] signature) =>
        RrsigFields.TryRead(signature, out RrsigFields fields) ? RrsigFields.TimeOf(fields.Expiration, Start) : Start;

    private static List<byte[]> RecordsOf(ZoneNode apex, RRType type)
    {
        List<byte[]> records = [];
        if (!apex.TryFind(type, out RRset rrset)) return records;
        foreach (ReadOnlySpan<byte> rdata in rrset) records.Add(rdata.ToArray());
        return records;
    }
}
