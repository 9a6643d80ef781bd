namespace Dns.Dnssec.Validation;

/// <summary>
/// Checks signatures over RRsets with the keys of one zone at one moment (RFC 4035 §5.3). For one thread. Any octets
/// give a verdict; a bounded number of keys and signatures is tried.
/// </summary>
public sealed class SignatureCheck
{
    private readonly byte[] _zone;
    private readonly IReadOnlyList<Dnskey> _keys;
    private readonly uint _now;
    private readonly ValidationWork _work;
    private readonly CanonicalRRset _canonical = new();

    /// <summary>Creates a check.</summary>
    /// <param name="keys">Its keys; those that must not sign a zone or are revoked are ignored.</param>
    /// <param name="work">The bound; null = <see cref="ValidationWork.Unbounded"/>.</param>
    public SignatureCheck(ReadOnlySpan<byte> zone, IReadOnlyList<Dnskey> keys, DateTimeOffset now,
        ValidationWork? work = null)
    {
        _zone = zone.ToArray();
        _keys = keys;
        _now = RrsigFields.SecondsOf(now);
        _work = work ?? ValidationWork.Unbounded;
    }

    /// <summary>The key of the last signature that was <see cref="SignatureVerdict.Valid"/>.</summary>
    public Dnskey? Key { get; private set; }

    /// <summary>Checks an RRset of a zone with all its signatures.</summary>
    /// <returns>Valid if one of the signatures is, else the verdict on the last one.</returns>
    public SignatureVerdict Check(ReadOnlySpan<byte> owner, RRset rrset, RRset signatures)
    {
        SignatureVerdict verdict = SignatureVerdict.None;
        int left = ValidationWork.MaxSignatures;
        foreach (ReadOnlySpan<byte> signature in signatures)
        {
            if (left-- == 0) return SignatureVerdict.TooMuchWork;
            if (!RrsigFields.TryRead(signature, out RrsigFields fields)) verdict = SignatureVerdict.Malformed;
            else if (!_canonical.TryBegin(owner, rrset.Type, fields.OriginalTtl, fields.Labels))
                verdict = SignatureVerdict.WrongLabels;
            else
            {
                foreach (ReadOnlySpan<byte> rdata in rrset) _canonical.Add(rdata);
                _canonical.End();
                verdict = Check(owner, rrset.Type, _canonical, in fields);
            }
            if (verdict == SignatureVerdict.Valid) break;
        }
        return verdict;
    }

    /// <summary>Checks one signature over records in canonical form.</summary>
    /// <param name="canonical">The records, with the TTL and owner of the signature.</param>
    public SignatureVerdict Check(ReadOnlySpan<byte> owner, RRType type, CanonicalRRset canonical,
        in RrsigFields fields)
    {
        if (fields.TypeCovered != type) return SignatureVerdict.Malformed;
        if (!WireName.EqualsIgnoreCase(fields.Signer, _zone) || !WireName.IsAtOrBelow(owner, _zone))
            return SignatureVerdict.WrongSigner;
        if (fields.Labels > CanonicalRRset.LabelsOf(owner) || fields.Labels < WireName.CountLabels(_zone))
            return SignatureVerdict.WrongLabels;
        if (SerialNumber.IsGreater(fields.Inception, fields.Expiration) || fields.IsExpired(_now))
            return SignatureVerdict.Expired;
        if (fields.IsEarly(_now)) return SignatureVerdict.NotYetValid;
        return Try(canonical, in fields);
    }

    private SignatureVerdict Try(CanonicalRRset canonical, in RrsigFields fields)
    {
        SignatureVerdict verdict = SignatureVerdict.NoKey;
        int left = ValidationWork.MaxKeysOfTag;
        for (int i = 0; i < Math.Min(_keys.Count, ValidationWork.MaxKeys); i++)
        {
            Dnskey key = _keys[i];
            if (key.Tag != fields.KeyTag || key.Algorithm != fields.Algorithm || !key.IsZoneKey || key.IsRevoked)
                continue;
            if (!DnssecAlgorithms.CanVerify(key.Algorithm)) return SignatureVerdict.Unsupported;
            if (left-- == 0 || !_work.TryVerification()) return SignatureVerdict.TooMuchWork;
            verdict = SignatureVerdict.Bad;
            if (!key.Verify(canonical.SignedData(fields.Prefix), fields.Signature)) continue;
            Key = key;
            return SignatureVerdict.Valid;
        }
        return verdict;
    }
}
