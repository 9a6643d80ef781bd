namespace Dns.Dnssec.Validation;

/// <summary>Verifies received RRsets with the keys of one zone. For one thread.</summary>
internal sealed class RRsetValidation(ReadOnlySpan<byte> zone, IReadOnlyList<Dnskey> keys, DateTimeOffset now,
    ValidationWork work)
{
    private readonly CanonicalRRset _canonical = new();
    private readonly SignatureCheck _check = new(zone, keys, now, work);
    private readonly byte[] _zone = zone.ToArray();

    /// <summary>Verifies an RRset; secure if one of its signatures is valid.</summary>
    internal ValidatedRRset Verify(ReceivedRRset rrset)
    {
        SignatureVerdict verdict = SignatureVerdict.None;
        int left = ValidationWork.MaxSignatures;
        foreach (byte[] signature in rrset.Signatures)
        {
            if (left-- == 0)
            {
                verdict = SignatureVerdict.TooMuchWork;
                break;
            }
            verdict = SignatureVerdict.Malformed;
            if (!RrsigFields.TryRead(signature, out RrsigFields fields)) continue;
            verdict = Check(rrset, in fields);
            if (verdict == SignatureVerdict.Valid) return Good(rrset, in fields);
        }
        return Result(rrset, SecurityStatus.Bogus) with { Reason = $"{rrset}: {Describe(verdict)}" };
    }

    internal static ValidatedRRset Result(ReceivedRRset rrset, SecurityStatus status) => new()
    {
        Section = rrset.Section,
        Owner = DomainName.FromOctets(rrset.Owner),
        Type = rrset.Type,
        Status = status,
        Rdata = rrset.Rdata,
    };

    private SignatureVerdict Check(ReceivedRRset rrset, in RrsigFields fields)
    {
        if (!_canonical.TryBegin(rrset.Owner, rrset.Type, fields.OriginalTtl, fields.Labels))
            return SignatureVerdict.WrongLabels;
        foreach (byte[] rdata in rrset.Rdata) _canonical.Add(rdata);
        _canonical.End();
        return _check.Check(rrset.Owner, rrset.Type, _canonical, in fields);
    }

    private ValidatedRRset Good(ReceivedRRset rrset, in RrsigFields fields) => Result(rrset, SecurityStatus.Secure) with
    {
        Signer = DomainName.FromOctets(_zone),
        Key = _check.Key,
        Expiration = RrsigFields.TimeOf(fields.Expiration, now),
        Labels = fields.Labels,
    };

    private static string Describe(SignatureVerdict verdict) => verdict switch
    {
        SignatureVerdict.None => "found no RRSIG",
        SignatureVerdict.Malformed => "the RRSIG is malformed",
        SignatureVerdict.WrongSigner => "the RRSIG is of another zone",
        SignatureVerdict.WrongLabels => "the RRSIG counts the wrong number of labels",
        SignatureVerdict.NoKey => "found no DNSKEY with the algorithm and tag of the RRSIG",
        SignatureVerdict.Unsupported => "the algorithm of the RRSIG is not verified here",
        SignatureVerdict.Expired => "the signature has expired",
        SignatureVerdict.NotYetValid => "the signature is not valid yet",
        SignatureVerdict.TooMuchWork => "the bound of verifications is reached",
        _ => "the signature does not verify",
    };
}
