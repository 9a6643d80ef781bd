namespace Dns.Dnssec.Validation;

/// <summary>The validation of one message: its RRsets, its aliases, and the denial at their end.</summary>
internal sealed class MessageValidation(ReceivedMessage message, TrustChain chain, DateTimeOffset now,
    ValidationWork work)
{
    private const int MaxAliases = 16;

    private readonly List<ValidatedRRset> _validated = [];

    // CNAME records synthesised from a DNAME are not signed (RFC 6672 §5.3.1).
    private readonly HashSet<ReceivedRRset> _synthesised = [];
    private SecurityStatus _status = SecurityStatus.Secure;
    private string _reason = "";

    internal ValidationResult Run(DomainName name, RRType type)
    {
        DomainName target = FollowAliases(name, type, out bool isAnswered, out bool isAlias);
        bool isNegative = !isAnswered, isIncomplete = false;
        ReceivedRRset? referral = isAnswered ? null : FindReferral(target);
        if (isAnswered && message.Rcode == Rcode.NXDomain)
            LowerStatus(SecurityStatus.Bogus, $"NXDOMAIN comes with an answer for {target}");
        if (!isAnswered)
        {
            bool hasSoa = message.RRsets.Any(rrset => rrset is { Section: MessageSection.Authority, Type: RRType.SOA });
            isIncomplete = isAlias && !hasSoa && referral is null && message.Rcode == Rcode.NoError &&
                Denials.SignerOf(message) is null;
            if (referral is not null) CheckReferral(referral);
            else if (!isIncomplete) CheckDenial(target, type);
        }
        CheckRest(referral);
        return new ValidationResult(_status, _reason)
        {
            RRsets = _validated,
            NextName = isIncomplete ? target : null,
            IsNegative = isNegative && !isIncomplete,
        };
    }

    private DomainName FollowAliases(DomainName name, RRType type, out bool isAnswered, out bool isAlias)
    {
        isAlias = false;
        for (int left = MaxAliases; left > 0; left--)
        {
            isAnswered = type == RRType.ANY
                ? message.RRsets.Any(rrset =>
                    rrset.Section == MessageSection.Answer && WireName.EqualsIgnoreCase(rrset.Owner, name.Octets))
                : message.Find(MessageSection.Answer, name.Octets, type) is not null;
            if (isAnswered) return name;
            ReceivedRRset? cname = message.Find(MessageSection.Answer, name.Octets, RRType.CNAME);
            DomainName? next = cname is null ? null : DomainName.FromOctets(cname.Rdata[0]);
            if (cname is null or { Signatures.Count: 0 } && FindDname(name) is ReceivedRRset dname)
            {
                DomainName? made = Substitute(name, dname);
                if (next is not null && !next.Equals(made))
                    LowerStatus(SecurityStatus.Bogus, $"{cname} is not what {dname} makes of it");
                next = made;
                if (cname is not null) _synthesised.Add(cname);
            }
            if (next is null) return name;
            (name, isAlias) = (next, true);
        }
        isAnswered = false;
        return name;
    }

    private ReceivedRRset? FindDname(DomainName name)
    {
        for (int labels = WireName.CountLabels(name.Octets) - 1; labels >= 0; labels--)
            if (message.Find(MessageSection.Answer, WildcardNames.Suffix(name.Octets, labels), RRType.DNAME)
                is { } dname) return dname;
        return null;
    }

    private static DomainName? Substitute(DomainName name, ReceivedRRset dname)
    {
        ReadOnlySpan<byte> prefix = name.Octets[..^dname.Owner.Length];
        byte[] made = [.. prefix, .. dname.Rdata[0]];
        return WireName.IsValid(made) ? DomainName.FromOctets(made) : null;
    }

    /// <summary>NS records of a zone below, without SOA: the answer is in that zone (RFC 1034 §4.3.2).</summary>
    private ReceivedRRset? FindReferral(DomainName target)
    {
        ReceivedRRset? found = null;
        foreach (ReceivedRRset rrset in message.RRsets)
        {
            if (rrset.Section != MessageSection.Authority) continue;
            if (rrset.Type == RRType.SOA) return null;
            if (rrset.Type == RRType.NS && rrset.Signatures.Count == 0 &&
                WireName.IsAtOrBelow(target.Octets, rrset.Owner)) found = rrset;
        }
        return message.Rcode == Rcode.NoError ? found : null;
    }

    private void CheckReferral(ReceivedRRset referral)
    {
        if (message.Find(MessageSection.Authority, referral.Owner, RRType.DS) is not null) return;
        if (Denials.SignerOf(message) is not byte[] signer)
        {
            ZoneTrust trust = chain.Of(Parent(referral.Owner));
            LowerStatus(trust.Status == SecurityStatus.Secure ? SecurityStatus.Bogus : trust.Status,
                trust.Status == SecurityStatus.Secure
                    ? $"{referral} comes with neither DS nor a proof that there is none" : trust.Reason);
            return;
        }
        bool isCut = false;
        DenialVerdict verdict = TryTrust(signer, referral.Owner, out ZoneTrust zone)
            && Denials.Of(signer, message, Validation(zone), work) is IDenial denial
            ? denial.ProveNoType(referral.Owner, RRType.DS, out isCut) : DenialVerdict.NotProven;
        // Without NS in the record the name is not a delegation, and the referral is not the zone's.
        if (zone.Status == SecurityStatus.Secure &&
            (verdict == DenialVerdict.NotProven || verdict == DenialVerdict.Proven && !isCut))
            LowerStatus(SecurityStatus.Bogus, $"the records do not prove that there is no DS with {referral}");
    }

    private void CheckDenial(DomainName target, RRType type)
    {
        string what = message.Rcode == Rcode.NXDomain
            ? $"{target} does not exist" : $"there is no {RRTypeText.Format(type)} at {target}";
        if (Denials.SignerOf(message) is not byte[] signer)
        {
            ZoneTrust trust = chain.Of(type == RRType.DS ? Parent(target.Octets) : target.Octets);
            LowerStatus(trust.Status == SecurityStatus.Secure ? SecurityStatus.Bogus : trust.Status,
                trust.Status == SecurityStatus.Secure ? $"there is no proof that {what}" : trust.Reason);
            return;
        }
        if (!TryTrust(signer, target.Octets, out ZoneTrust zone)) return;
        IDenial? denial = Denials.Of(signer, message, Validation(zone), work);
        DenialVerdict verdict = denial is null ? DenialVerdict.NotProven
            : message.Rcode == Rcode.NXDomain
                ? denial.ProveNoName(target.Octets) : denial.ProveNoType(target.Octets, type, out _);
        if (verdict == DenialVerdict.NotProven)
            LowerStatus(SecurityStatus.Bogus, $"the records do not prove that {what}");
        if (verdict == DenialVerdict.Insecure)
            LowerStatus(SecurityStatus.Insecure, $"an opt-out span, or too many iterations, leave open whether {what}");
    }

    private void CheckRest(ReceivedRRset? referral)
    {
        foreach (ReceivedRRset rrset in message.RRsets)
        {
            if (rrset.Section == MessageSection.Additional || rrset == referral || rrset.Rdata.Count == 0) continue;
            ValidatedRRset validated = _synthesised.Contains(rrset)
                ? RRsetValidation.Result(rrset, SecurityStatus.Secure) : Check(rrset);
            _validated.Add(validated);
            LowerStatus(validated.Status, validated.Reason);
        }
    }

    private ValidatedRRset Check(ReceivedRRset rrset)
    {
        if (rrset.Signer is not byte[] signer)
        {
            ZoneTrust trust = chain.Of(rrset.Type is RRType.DS or RRType.NSEC3 ? Parent(rrset.Owner) : rrset.Owner);
            bool isMissing = trust.Status == SecurityStatus.Secure;
            return RRsetValidation.Result(rrset, isMissing ? SecurityStatus.Bogus : trust.Status) with
            {
                Reason = isMissing ? $"{rrset}: found no RRSIG" : trust.Reason,
            };
        }
        if (!TryFind(signer, rrset.Owner, out ZoneTrust zone) ||
            rrset.Type == RRType.DS && signer.Length == rrset.Owner.Length)
            return RRsetValidation.Result(rrset,
                SecurityStatus.Bogus) with { Reason = $"{rrset}: the RRSIG is of another zone" };
        if (zone.Status != SecurityStatus.Secure)
            return RRsetValidation.Result(rrset, zone.Status) with { Reason = zone.Reason };
        ValidatedRRset validated = Validation(zone).Verify(rrset);
        return validated.IsExpanded ? CheckExpansion(rrset, validated, zone) : validated;
    }

    // The name itself must not exist, else the wildcard does not apply (RFC 4035 §5.3.4, RFC 5155 §8.8).
    private ValidatedRRset CheckExpansion(ReceivedRRset rrset, ValidatedRRset validated, ZoneTrust zone)
    {
        if (rrset.Type is RRType.NSEC or RRType.NSEC3) return validated;
        DenialVerdict verdict =
            Denials.Of(zone.Zone.Octets, message, Validation(zone), work)?.ProveExpansion(rrset.Owner, validated.Labels)
            ?? DenialVerdict.NotProven;
        return verdict switch
        {
            DenialVerdict.Proven => validated,
            DenialVerdict.Insecure => validated with
            {
                Status = SecurityStatus.Insecure,
                Reason = $"{rrset}: an opt-out span, or too many iterations, leave open whether the wildcard is for it",
            },
            _ => validated with
            {
                Status = SecurityStatus.Bogus,
                Reason = $"{rrset}: the records do not prove that the wildcard is for it",
            },
        };
    }

    /// <summary>Finds the keys of a zone that denies a name; records insecure and bogus results.</summary>
    private bool TryTrust(byte[] signer, ReadOnlySpan<byte> name, out ZoneTrust zone)
    {
        bool isZone = TryFind(signer, name, out zone);
        if (!isZone)
            LowerStatus(SecurityStatus.Bogus, $"{NameText.ToText(signer)} signs what denies {NameText.ToText(name)}");
        else if (zone.Status != SecurityStatus.Secure) LowerStatus(zone.Status, zone.Reason);
        return isZone && zone.Status == SecurityStatus.Secure;
    }

    private bool TryFind(byte[] signer, ReadOnlySpan<byte> name, out ZoneTrust zone)
    {
        zone = chain.Of(signer);
        if (!WireName.IsAtOrBelow(name, signer)) return false;
        return zone.Status != SecurityStatus.Secure || WireName.EqualsIgnoreCase(zone.Zone.Octets, signer);
    }

    private RRsetValidation Validation(ZoneTrust zone) => new(zone.Zone.Octets, zone.Keys, now, work);

    private static ReadOnlySpan<byte> Parent(ReadOnlySpan<byte> name) => name[0] == 0 ? name : name[(name[0] + 1)..];

    private void LowerStatus(SecurityStatus status, string reason)
    {
        if (status > _status) (_status, _reason) = (status, reason);
    }
}
