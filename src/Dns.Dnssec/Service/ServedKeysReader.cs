namespace Dns.Dnssec.Service;

/// <summary>Reads the keys and signers of a signed version.</summary>
internal static class ServedKeysReader
{
    /// <summary>The facts of a version that is signed uniformly, as all versions made here are.</summary>
    internal static ServedKeys Read(Zone zone, TimeSpan longestTtl)
    {
        ZoneNode apex = zone.ApexNode;
        bool hasKeys = apex.TryFind(RRType.DNSKEY, out RRset dnskeys);
        TimeSpan ttl = InCaches(hasKeys ? dnskeys.Ttl : zone.NegativeTtl);
        return new ServedKeys
        {
            Keys = hasKeys ? IdsOf(dnskeys) : KeyIds.None,
            KeySigners = SignersOf(apex, RRType.DNSKEY),
            SignerSets = [SignersOf(apex, RRType.SOA)],
            Cds = CdsOf(apex, out bool isDelete),
            IsCdsDelete = isDelete,
            KeysTtl = ttl,
            LongestTtl = longestTtl > ttl ? longestTtl : ttl,
        };
    }

    /// <summary>
    /// When the DNSKEY RRset of a version was last signed, and when the last signature ends; the earliest time if it is
    /// not signed.
    /// </summary>
    internal static (DateTimeOffset Signed, DateTimeOffset Ends) TimesOfKeys(Zone zone, DateTimeOffset now)
    {
        DateTimeOffset signed = DateTimeOffset.MinValue, ends = DateTimeOffset.MinValue;
        if (!zone.ApexNode.TryFindSignatures(RRType.DNSKEY, out RRset signatures)) return (signed, ends);
        foreach (ReadOnlySpan<byte> rdata in signatures)
        {
            if (!RrsigFields.TryRead(rdata, out RrsigFields fields)) continue;
            DateTimeOffset began = RrsigFields.TimeOf(fields.Inception, now) + SigningPlan.InceptionOffset;
            DateTimeOffset end = RrsigFields.TimeOf(fields.Expiration, now);
            if (began > signed) signed = began;
            if (end > ends) ends = end;
        }
        return (signed, ends);
    }

    /// <summary>The longest TTL of a version that counts, by a walk over it.</summary>
    internal static TimeSpan LongestTtl(Zone zone)
    {
        uint longest = zone.NegativeTtl;
        foreach (ZoneNode node in zone)
            foreach (RRset rrset in node) longest = Math.Max(longest, rrset.Ttl);
        return InCaches(longest);
    }

    /// <summary>The longest TTL of the records that a delta adds.</summary>
    internal static TimeSpan LongestTtl(ZoneDelta delta)
    {
        uint longest = 0;
        foreach (RecordList.ListedRecord record in delta.Added) longest = Math.Max(longest, record.Ttl);
        return InCaches(longest);
    }

    private static TimeSpan InCaches(uint ttl) =>
        ttl < CachedSet.MostTtl.TotalSeconds ? TimeSpan.FromSeconds(ttl) : CachedSet.MostTtl;

    private static KeyIds IdsOf(RRset dnskeys)
    {
        List<KeyId> ids = [];
        foreach (ReadOnlySpan<byte> rdata in dnskeys)
            if (Dnskey.TryRead(rdata, out Dnskey? key)) ids.Add(new KeyId(key.Algorithm, key.Tag));
        return KeyIds.Of(ids);
    }

    private static KeyIds SignersOf(ZoneNode node, RRType type)
    {
        List<KeyId> ids = [];
        if (node.TryFindSignatures(type, out RRset signatures))
            foreach (ReadOnlySpan<byte> rdata in signatures)
                if (RrsigFields.TryRead(rdata, out RrsigFields fields))
                    ids.Add(new KeyId(fields.Algorithm, fields.KeyTag));
        return KeyIds.Of(ids);
    }

    private static KeyIds CdsOf(ZoneNode apex, out bool isDelete)
    {
        List<KeyId> ids = [];
        isDelete = false;
        if (!apex.TryFind(RRType.CDS, out RRset cds)) return KeyIds.None;
        foreach (ReadOnlySpan<byte> rdata in cds)
        {
            if (rdata.SequenceEqual(SigningPlan.DeleteCds)) isDelete = true;
            else if (rdata.Length > SigningPlan.DeleteCds.Length)
                ids.Add(new KeyId((DnssecAlgorithm)rdata[2], BinaryPrimitives.ReadUInt16BigEndian(rdata)));
        }
        return KeyIds.Of(ids);
    }
}
