namespace Dns.Dnssec.Validation;

/// <summary>
/// Checks that a parent can act on the CDS and CDNSKEY RRsets (RFC 7344 §4, §4.1; RFC 8078 §4): signed by a key that
/// signs the DNSKEY RRset, the two agree, and the DS records that they request leave the zone valid.
/// </summary>
internal sealed class CdsCheck
{
    private const int AlgorithmAt = 2, DigestTypeAt = 3, DsFixedOctets = 4, KeyAlgorithmAt = 3;

    private readonly Zone _zone;
    private readonly ApexKeys _keys;
    private readonly DateTimeOffset _now;
    private readonly DiagnosticList _diagnostics;
    private readonly List<Dnskey> _keySigners;

    private CdsCheck(Zone zone, ApexKeys keys, DateTimeOffset now, DiagnosticList diagnostics)
    {
        (_zone, _keys, _now, _diagnostics) = (zone, keys, now, diagnostics);
        _keySigners = SignersOf(RRType.DNSKEY);
    }

    /// <summary>Checks a signed zone; without these records there is nothing to find.</summary>
    internal static void Check(Zone zone, ApexKeys keys, DateTimeOffset now, DiagnosticList diagnostics)
    {
        bool hasCds = zone.ApexNode.TryFind(RRType.CDS, out RRset cds);
        bool hasCdnskey = zone.ApexNode.TryFind(RRType.CDNSKEY, out RRset cdnskey);
        if (!hasCds && !hasCdnskey) return;
        CdsCheck check = new(zone, keys, now, diagnostics);
        if (hasCds) check.CheckSet(cds);
        if (hasCdnskey) check.CheckSet(cdnskey);
        if (hasCds && hasCdnskey) check.CheckAgreement(cds, cdnskey);
    }

    private void CheckSet(RRset rrset)
    {
        string type = RRTypeText.Format(rrset.Type);
        // SignatureVerifier finds signatures that are missing or bad.
        List<Dnskey> signers = SignersOf(rrset.Type);
        if (signers.Count > 0 && !signers.Exists(_keySigners.Contains))
            _diagnostics.Error(_zone.Apex, rrset.Type,
                $"found {type} signed by {string.Join(", ", signers)} alone, "
                + "expected a key that signs the DNSKEY RRset");
        bool hasDelete = false;
        foreach (ReadOnlySpan<byte> rdata in rrset) hasDelete |= IsDelete(rrset.Type, rdata);
        if (hasDelete) CheckDelete(rrset, type);
        else CheckKeys(rrset, type);
    }

    private void CheckDelete(RRset rrset, string type)
    {
        ReadOnlySpan<byte> expected = rrset.Type == RRType.CDS ? SigningPlan.DeleteCds : SigningPlan.DeleteCdnskey;
        string text = rrset.Type == RRType.CDS ? "0 0 0 00" : "0 3 0 AA==";
        if (rrset.Count > 1)
            _diagnostics.Error(_zone.Apex, rrset.Type,
                $"found the {type} record that deletes the DS RRset beside others, expected it alone");
        foreach (ReadOnlySpan<byte> rdata in rrset)
            if (IsDelete(rrset.Type, rdata) && !rdata.SequenceEqual(expected))
                _diagnostics.Error(_zone.Apex, rrset.Type, rdata,
                    $"found a {type} record of algorithm 0, expected {text}");
    }

    // Of each algorithm that the DS RRset would have one key has to sign the DNSKEY RRset (RFC 4035 §2.2).
    private void CheckKeys(RRset rrset, string type)
    {
        HashSet<byte> found = [], usable = [];
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            if (AlgorithmOf(rrset.Type, rdata) is not { } algorithm) continue;
            found.Add(algorithm);
            if (IsUnknownDigest(rrset.Type, rdata))
                _diagnostics.Warn(_zone.Apex, rrset.Type, rdata,
                    $"the digest type {rdata[DigestTypeAt]} is not verified here");
            else if (Find(_keys.Keys, rrset.Type, rdata) is not { } key)
                _diagnostics.Warn(_zone.Apex, rrset.Type, rdata, $"found a {type} record of no DNSKEY at the apex");
            else if (_keySigners.Contains(key)) usable.Add(algorithm);
        }
        foreach (byte algorithm in found.Except(usable).Order())
            _diagnostics.Error(_zone.Apex, rrset.Type,
                $"found no {type} record of {DnssecAlgorithms.NameOf((DnssecAlgorithm)algorithm)} that is of a key "
                + "that signs the DNSKEY RRset: the zone would be bogus with the requested DS records");
    }

    private void CheckAgreement(RRset cds, RRset cdnskey)
    {
        List<Dnskey> keys = [];
        foreach (ReadOnlySpan<byte> rdata in cdnskey)
            if (Dnskey.TryRead(rdata, out Dnskey? key)) keys.Add(key);
        foreach (ReadOnlySpan<byte> rdata in cds)
            if (!IsUnknownDigest(RRType.CDS, rdata) && !AnyAgrees(rdata, keys))
                _diagnostics.Error(_zone.Apex, RRType.CDS, rdata,
                    "found a CDS record without the CDNSKEY record of the same key, "
                    + "expected both RRsets to be of the same keys");
        foreach (Dnskey key in keys)
            if (!HasCds(cds, key))
                _diagnostics.Error(_zone.Apex, RRType.CDNSKEY, key.Rdata,
                    "found a CDNSKEY record without the CDS record of the same key, "
                    + "expected both RRsets to be of the same keys");
    }

    private bool AnyAgrees(ReadOnlySpan<byte> cds, List<Dnskey> keys)
    {
        foreach (Dnskey key in keys)
            if (Agrees(cds, key)) return true;
        return false;
    }

    private bool HasCds(RRset cds, Dnskey key)
    {
        foreach (ReadOnlySpan<byte> rdata in cds)
            if (Agrees(rdata, key)) return true;
        return false;
    }

    private bool Agrees(ReadOnlySpan<byte> cds, Dnskey cdnskey) =>
        IsDelete(RRType.CDS, cds) ? IsDelete(RRType.CDNSKEY, cdnskey.Rdata)
        : IsUnknownDigest(RRType.CDS, cds) ? cds[AlgorithmAt] == (byte)cdnskey.Algorithm
        : cdnskey.IsNamedBy(_zone.Apex, cds);

    private Dnskey? Find(IReadOnlyList<Dnskey> keys, RRType type, ReadOnlySpan<byte> rdata)
    {
        foreach (Dnskey key in keys)
            if (type == RRType.CDS ? key.IsNamedBy(_zone.Apex, rdata) : rdata.SequenceEqual(key.Rdata)) return key;
        return null;
    }

    /// <summary>The keys with a good signature over an apex RRset, or one of an algorithm not verified here.</summary>
    private List<Dnskey> SignersOf(RRType type)
    {
        List<Dnskey> signers = [];
        if (!_zone.ApexNode.TryFind(type, out RRset rrset)) return signers;
        if (!_zone.ApexNode.TryFindSignatures(type, out RRset signatures)) return signers;
        CanonicalRRset canonical = new();
        canonical.Set(_zone.Apex, rrset, rrset.Ttl);
        SignatureCheck check = new(_zone.Apex, _keys.Keys, _now);
        foreach (ReadOnlySpan<byte> rdata in signatures)
        {
            if (!RrsigFields.TryRead(rdata, out RrsigFields fields)) continue;
            SignatureVerdict verdict = check.Check(_zone.Apex, type, canonical, in fields);
            if (verdict == SignatureVerdict.Valid) signers.Add(check.Key!);
            else if (verdict == SignatureVerdict.Unsupported) signers.AddRange(KeysOf(fields.Algorithm, fields.KeyTag));
        }
        return signers;
    }

    private IEnumerable<Dnskey> KeysOf(DnssecAlgorithm algorithm, ushort tag) =>
        _keys.Keys.Where(key => key.Algorithm == algorithm && key.Tag == tag);

    private static byte? AlgorithmOf(RRType type, ReadOnlySpan<byte> rdata) =>
        rdata.Length <= DsFixedOctets ? null : rdata[type == RRType.CDS ? AlgorithmAt : KeyAlgorithmAt];

    private static bool IsDelete(RRType type, ReadOnlySpan<byte> rdata) => AlgorithmOf(type, rdata) == 0;

    private static bool IsUnknownDigest(RRType type, ReadOnlySpan<byte> rdata) =>
        type == RRType.CDS && rdata.Length > DsFixedOctets && rdata[AlgorithmAt] != 0
        && (DsDigest)rdata[DigestTypeAt] is not (DsDigest.Sha1 or DsDigest.Sha256 or DsDigest.Sha384);
}
