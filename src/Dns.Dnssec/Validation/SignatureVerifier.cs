namespace Dns.Dnssec.Validation;

/// <summary>
/// Verifies the signatures of RRsets of a zone: each algorithm of the DNSKEY set must have a valid one (RFC 4035 §2.2),
/// the DNSKEY set also one by a secure entry point, if any. For one thread.
/// </summary>
internal sealed class SignatureVerifier
{
    private readonly CanonicalRRset _canonical = new();
    private readonly Zone _zone;
    private readonly ApexKeys _keys;
    private readonly DateTimeOffset _now;
    private readonly SignatureCheck _check;
    private readonly DiagnosticList _diagnostics;
    private readonly bool[] _good = new bool[256];
    private bool _isSignedBySep;
    private long _firstExpiration = long.MaxValue;

    internal SignatureVerifier(Zone zone, ApexKeys keys, DateTimeOffset now, DiagnosticList diagnostics)
    {
        (_zone, _keys, _now, _diagnostics) = (zone, keys, now, diagnostics);
        _check = new SignatureCheck(zone.Apex, keys.Keys, now);
    }

    internal long Good { get; private set; }

    internal DateTimeOffset? FirstExpiration =>
        _firstExpiration == long.MaxValue ? null : DateTimeOffset.FromUnixTimeSeconds(_firstExpiration);

    internal void Verify(ZoneNode node, RRset rrset)
    {
        if (!node.TryFindSignatures(rrset.Type, out RRset signatures))
        {
            _diagnostics.Error(node.Name, rrset.Type,
                $"found no RRSIG over {What(node, rrset)}, expected it to be signed");
            return;
        }
        _good.AsSpan().Clear();
        _isSignedBySep = false;
        _canonical.Set(node.Name, rrset, rrset.Ttl);
        bool isAllGood = true;
        foreach (ReadOnlySpan<byte> signature in signatures)
            isAllGood &= Verify(node, rrset, signature) == SignatureVerdict.Valid;
        if (!isAllGood)
            foreach (ReadOnlySpan<byte> signature in signatures) Report(node, rrset, signature);
        foreach (DnssecAlgorithm algorithm in _keys.Algorithms)
            if (!_good[(byte)algorithm] && !HasAny(signatures, algorithm))
                _diagnostics.Error(node.Name, rrset.Type,
                    $"found no RRSIG of {DnssecAlgorithms.NameOf(algorithm)} over "
                    + $"{What(node, rrset)}, expected one of each algorithm of the keys");
        bool isKeySet = rrset.Type == RRType.DNSKEY && node.Name.SequenceEqual(_zone.Apex);
        if (isKeySet && _keys.HasSep && !_isSignedBySep && Array.IndexOf(_good, true) >= 0)
            _diagnostics.Error(node.Name, RRType.DNSKEY,
                "found a DNSKEY set that no key with the SEP flag signs, expected one to do so");
    }

    private SignatureVerdict Verify(ZoneNode node, RRset rrset, ReadOnlySpan<byte> signature)
    {
        if (!RrsigFields.TryRead(signature, out RrsigFields fields)) return SignatureVerdict.Malformed;
        SignatureVerdict verdict = Evaluate(node, rrset, in fields);
        if (verdict == SignatureVerdict.Unsupported) _good[(byte)fields.Algorithm] = true;
        if (verdict != SignatureVerdict.Valid) return verdict;
        Good++;
        _good[(byte)fields.Algorithm] = true;
        _isSignedBySep |= _check.Key!.IsSep;
        _firstExpiration = Math.Min(_firstExpiration, RrsigFields.TimeOf(fields.Expiration, _now).ToUnixTimeSeconds());
        return verdict;
    }

    // The labels must be those of the owner: a zone has no expanded wildcards.
    private SignatureVerdict Evaluate(ZoneNode node, RRset rrset, in RrsigFields fields) =>
        fields.Labels != CanonicalRRset.LabelsOf(node.Name) ? SignatureVerdict.WrongLabels
        : fields.OriginalTtl != rrset.Ttl ? SignatureVerdict.Malformed
        : _check.Check(node.Name, rrset.Type, _canonical, in fields);

    // A warning if another signature of the algorithm is valid, unless this one covers other records; of an algorithm
    // without keys, as when signatures are the last to go in a rollover (RFC 6781 §4.1.4), if any other is.
    private void Report(ZoneNode node, RRset rrset, ReadOnlySpan<byte> signature)
    {
        if (!RrsigFields.TryRead(signature, out RrsigFields fields)) return;
        SignatureVerdict verdict = Evaluate(node, rrset, in fields);
        if (verdict is SignatureVerdict.Valid or SignatureVerdict.Unsupported) return;
        string by = $"RRSIG of {DnssecAlgorithms.NameOf(fields.Algorithm)}/{fields.KeyTag} over {What(node, rrset)}";
        string message = $"{by}: {Describe(verdict, rrset, in fields)}";
        bool isReplaced = _good[(byte)fields.Algorithm]
            && verdict is SignatureVerdict.Expired or SignatureVerdict.NotYetValid or SignatureVerdict.NoKey;
        isReplaced |= verdict == SignatureVerdict.NoKey && !_keys.Algorithms.Contains(fields.Algorithm)
            && Array.IndexOf(_good, true) >= 0;
        if (isReplaced) _diagnostics.Warn(node.Name, RRType.RRSIG, signature, message);
        else _diagnostics.Error(node.Name, RRType.RRSIG, signature, message);
    }

    private string Describe(SignatureVerdict verdict, RRset rrset, in RrsigFields fields) => verdict switch
    {
        SignatureVerdict.WrongSigner =>
            $"found the signer {NameText.ToText(fields.Signer)}, expected {NameText.ToText(_zone.Apex)}",
        SignatureVerdict.WrongLabels => $"found {fields.Labels} labels, expected the number that the owner has",
        SignatureVerdict.Malformed =>
            $"found the original TTL {fields.OriginalTtl}, expected {rrset.Ttl}, which the records have",
        SignatureVerdict.NoKey => "found no DNSKEY of that algorithm and tag, expected the key that signed",
        SignatureVerdict.Expired => $"expired at {Time(fields.Expiration)}",
        SignatureVerdict.NotYetValid => $"is not valid before {Time(fields.Inception)}",
        SignatureVerdict.TooMuchWork => $"more than {ValidationWork.MaxKeysOfTag} keys have that tag",
        _ => "the signature is not that of the key over these records",
    };

    private string Time(uint seconds) => RrsigFields.TimeOf(seconds, _now).UtcDateTime.ToString("u");

    private static bool HasAny(RRset signatures, DnssecAlgorithm algorithm)
    {
        foreach (ReadOnlySpan<byte> signature in signatures)
            if (signature.Length > 2 && signature[2] == (byte)algorithm) return true;
        return false;
    }

    private static string What(ZoneNode node, RRset rrset) =>
        $"{RRTypeText.Format(rrset.Type)} at {NameText.ToText(node.Name)}";
}
