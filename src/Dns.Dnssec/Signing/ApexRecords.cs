namespace Dns.Dnssec.Signing;

/// <summary>The apex RRsets that signing makes; ZONEMD follows when all others are complete.</summary>
/// <remarks>
/// A source that is already signed, as a valid signature over its DNSKEY RRset by one of these keys shows, contributes
/// none. In any other source, DNSKEY records are those of another signer (RFC 8901), and are published with ours; so
/// are its CDS and CDNSKEY, if the plan has none. A stray signature removes no key: answers of the other signer would
/// be bogus.
/// </remarks>
internal sealed class ApexRecords
{
    private const int SerialFromEnd = 20;

    private readonly List<(RRType Type, uint Ttl, byte[] Rdata)> _records = [];

    /// <param name="serial">The serial of the signed version.</param>
    internal ApexRecords(Zone source, SigningPlan plan, uint serial, DateTimeOffset now)
    {
        ZoneNode apex = source.ApexNode;
        if (apex.TryFind(RRType.SOA, out RRset soa))
        {
            byte[] rdata = soa.First.ToArray();
            BinaryPrimitives.WriteUInt32BigEndian(rdata.AsSpan(rdata.Length - SerialFromEnd), serial);
            _records.Add((RRType.SOA, soa.Ttl, rdata));
        }
        // An RRset signed elsewhere must not change.
        bool isForeign = plan.KeySetSignatures.Count == 0 && !IsSigned(source, now);
        foreach (Dnskey key in plan.Published) Add(RRType.DNSKEY, plan.DnskeyTtl, key.Rdata);
        if (isForeign) AddFrom(apex, RRType.DNSKEY, plan.DnskeyTtl);
        foreach (byte[] cds in plan.Cds) Add(RRType.CDS, plan.DnskeyTtl, cds);
        foreach (byte[] cdnskey in plan.Cdnskey) Add(RRType.CDNSKEY, plan.DnskeyTtl, cdnskey);
        if (isForeign && plan.Cds.Count == 0 && plan.Cdnskey.Count == 0)
        {
            AddFrom(apex, RRType.CDS, null);
            AddFrom(apex, RRType.CDNSKEY, null);
        }
        // A TTL of 0: only servers of the zone query it.
        if (plan.Denial.IsHashed) Add(RRType.NSEC3PARAM, 0, DenialRdata.Parameters(plan.Denial));
    }

    /// <summary>The types made here instead of copied from the source.</summary>
    internal static bool IsSettled(RRType type) =>
        type is RRType.SOA or RRType.DNSKEY or RRType.CDS or RRType.CDNSKEY or RRType.NSEC3PARAM or RRType.ZONEMD;

    /// <summary>The records, grouped by type.</summary>
    internal IReadOnlyList<(RRType Type, uint Ttl, byte[] Rdata)> Records => _records;

    /// <summary>Whether a key of the DNSKEY RRset has signed that, however long ago.</summary>
    private static bool IsSigned(Zone source, DateTimeOffset now) =>
        SignersOf(source, RRType.DNSKEY, now, isEver: true).Count > 0;

    /// <summary>The keys of the DNSKEY RRset whose signatures over an RRset of the apex are valid.</summary>
    /// <param name="isEver">Whether those count that have expired.</param>
    internal static KeyIds SignersOf(Zone source, RRType type, DateTimeOffset now, bool isEver = false)
    {
        ZoneNode apex = source.ApexNode;
        if (!apex.TryFindSignatures(type, out RRset signatures) || !apex.TryFind(type, out RRset signed))
            return KeyIds.None;
        IReadOnlyList<Dnskey> published = ApexKeys.Of(source).Keys;
        CanonicalRRset canonical = new();
        List<KeyId> signers = [];
        int left = ValidationWork.MaxSignatures;
        foreach (ReadOnlySpan<byte> signature in signatures)
        {
            if (left-- == 0) break;
            if (!RrsigFields.TryRead(signature, out RrsigFields fields)) continue;
            canonical.Set(source.Apex, signed, fields.OriginalTtl);
            DateTimeOffset at = isEver ? RrsigFields.TimeOf(fields.Inception, now) : now;
            SignatureCheck check = new(source.Apex, published, at);
            if (check.Check(source.Apex, type, canonical, in fields) == SignatureVerdict.Valid)
                signers.Add(new KeyId(fields.Algorithm, fields.KeyTag));
        }
        return KeyIds.Of(signers);
    }

    private void AddFrom(ZoneNode apex, RRType type, uint? ttl)
    {
        if (!apex.TryFind(type, out RRset rrset)) return;
        foreach (ReadOnlySpan<byte> rdata in rrset) Add(type, ttl ?? rrset.Ttl, rdata);
    }

    private void Add(RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        foreach (var record in _records)
            if (record.Type == type && rdata.SequenceEqual(record.Rdata)) return;
        _records.Add((type, ttl, rdata.ToArray()));
    }
}
