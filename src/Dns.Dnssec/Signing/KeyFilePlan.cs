namespace Dns.Dnssec.Signing;

/// <summary>The keys to publish, sign with and list in CDS by the times in key files, as BIND reads them.</summary>
/// <remarks>
/// A key without times is published and signs. Of each algorithm, keys with the SEP flag sign the DNSKEY RRset and the
/// others the rest; if an algorithm has only one kind, that signs both (RFC 6840 §5.11: a zone is signed with each
/// algorithm of its keys).
/// </remarks>
public static class KeyFilePlan
{
    /// <summary>The plan for keys; one with a fault if no key signs.</summary>
    public static SigningPlan At(IEnumerable<KeyFile> keys, DateTimeOffset now)
    {
        List<Dnskey> published = [];
        List<SigningKey> signing = [];
        List<byte[]> cds = [], cdnskey = [];
        uint? ttl = null;
        foreach (KeyFile key in keys)
        {
            if (!IsPublished(key.Times, now)) continue;
            bool isRevoked = key.Times.Revoke <= now && !key.Public.IsRevoked;
            ttl ??= key.Ttl;
            published
                .Add(isRevoked ? key.Public.WithFlags((ushort)(key.Public.Flags | Dnskey.RevokeFlag)) : key.Public);
            // A revoked key is for validators with static anchors (RFC 5011): it is published and no longer signs.
            if (key.Key is { } own && !isRevoked && IsActive(key.Times, now)) signing.Add(own);
            if (!(key.Times.SyncPublish <= now) || key.Times.SyncDelete <= now || isRevoked) continue;
            if (key.Public.TryMakeDs(key.Zone.Octets, DnssecAlgorithms.DefaultDigest(key.Public.Algorithm),
                out byte[] ds)) cds.Add(ds);
            cdnskey.Add(key.Public.Rdata.ToArray());
        }
        SigningPlan plan = new()
        {
            Published = published,
            KeySigners = [.. signing.Where(key => key.Public.IsSep || !Has(signing, key, isSep: true))],
            ZoneSigners = [.. signing.Where(key => !key.Public.IsSep || !Has(signing, key, isSep: false))],
            Cds = cds,
            Cdnskey = cdnskey,
        };
        return ttl is { } known ? plan with { DnskeyTtl = known } : plan;
    }

    private static bool Has(List<SigningKey> keys, SigningKey like, bool isSep) =>
        keys.Exists(key => key.Public.Algorithm == like.Public.Algorithm && key.Public.IsSep == isSep);

    private static bool IsPublished(KeyTimes times, DateTimeOffset now) =>
        !(times.Delete <= now) && !((times.Publish ?? times.Activate) > now);

    private static bool IsActive(KeyTimes times, DateTimeOffset now) =>
        !(times.Inactive <= now) && (times.Activate is { } from ? from <= now : times.Publish is null);
}
