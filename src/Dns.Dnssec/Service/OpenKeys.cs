namespace Dns.Dnssec.Service;

/// <summary>The opened keys of a zone, and signing plans with them.</summary>
internal sealed class OpenKeys(ZoneSlot slot, ZoneSigning owner)
{
    private const DsDigest Digest = DsDigest.Sha256;

    private readonly Dictionary<KeyId, SigningKey> _open = [];

    internal SigningKey Open(KeyId id)
    {
        if (!_open.TryGetValue(id, out SigningKey? key)) _open[id] = key = owner.Keys.Open(slot.Name, id);
        return key;
    }

    internal void Close()
    {
        foreach (SigningKey key in _open.Values) key.Dispose();
        _open.Clear();
    }

    /// <summary>A plan whose DNSKEY RRset is signed here.</summary>
    internal SigningPlan PlanOf(KeyPlan plan, DnssecPolicy policy, uint ttl)
    {
        List<byte[]> cds = [], cdnskey = [];
        foreach (KeyId id in plan.Cds)
        {
            Dnskey key = Open(id).Public;
            if (key.TryMakeDs(slot.Name.Octets, Digest, out byte[] rdata)) cds.Add(rdata);
            cdnskey.Add(key.Rdata.ToArray());
        }
        if (plan.IsCdsDelete)
            (cds, cdnskey) = ([SigningPlan.DeleteCds.ToArray()], [SigningPlan.DeleteCdnskey.ToArray()]);
        return With(plan, policy, new SigningPlan
        {
            ZoneSigners = [],
            Published = [.. plan.Published.Select(id => Open(id).Public)],
            KeySigners = [.. plan.KeySigners.Select(Open)],
            DnskeyTtl = ttl,
            Cds = cds,
            Cdnskey = cdnskey,
        });
    }

    /// <summary>A plan whose DNSKEY RRset has the signatures of a slot.</summary>
    internal SigningPlan PlanOf(KeyPlan plan, DnssecPolicy policy, KeySlot set) => With(plan, policy, new SigningPlan
    {
        ZoneSigners = [],
        Published = set.Keys,
        KeySigners = [],
        KeySetSignatures = set.Signatures,
        DnskeyTtl = set.Ttl,
        // Those of a slot that comes late wait until caches know its keys.
        Cds = plan.Cds.Equals(set.CdsKeys) ? set.Cds : [],
        Cdnskey = plan.Cds.Equals(set.CdsKeys) ? set.Cdnskey : [],
    });

    private SigningPlan With(KeyPlan plan, DnssecPolicy policy, SigningPlan keys) => keys with
    {
        ZoneSigners = [.. plan.ZoneSigners.Select(Open)],
        Denial = DenialOf(policy),
        SignatureLifetime = policy.SignatureLifetime,
        RefreshBefore = policy.Refresh,
        Jitter = JitterOf(policy),
        Serial = policy.Serial,
        Zonemd = policy.Zonemd,
    };

    private static DenialPlan DenialOf(DnssecPolicy policy) => policy.Denial switch
    {
        DenialMethod.Compact => DenialPlan.Compact,
        DenialMethod.Nsec3 => policy.OptOut ? DenialPlan.Nsec3OptOut : DenialPlan.Nsec3,
        _ => DenialPlan.Nsec,
    };

    // A quarter of the time before a signature is renewed.
    private static TimeSpan JitterOf(DnssecPolicy policy) =>
        TimeSpan.FromSeconds(Math.Floor((policy.SignatureLifetime - policy.Refresh).TotalSeconds / 4));
}
