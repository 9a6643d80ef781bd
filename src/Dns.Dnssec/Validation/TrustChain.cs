namespace Dns.Dnssec.Validation;

/// <summary>
/// The path from an anchor down to a name, label by label (RFC 4035 §5.2): into a zone by its DS records, or into an
/// insecure one by their proven absence. Caches its results; for one thread.
/// </summary>
internal sealed class TrustChain(IMessageSource source, IReadOnlyList<TrustAnchor> anchors, DateTimeOffset now,
    ValidationWork work)
{
    private readonly Dictionary<DomainName, ZoneTrust> _known = [];
    private readonly List<ZoneTrust> _zones = [];

    /// <summary>The zones whose keys were queried, in order.</summary>
    internal IReadOnlyList<ZoneTrust> Zones => _zones;

    /// <summary>The trust of the zone of a name, which may be its apex.</summary>
    internal ZoneTrust Of(ReadOnlySpan<byte> name)
    {
        int labels = FindAnchor(name);
        if (labels < 0) return new ZoneTrust(DomainName.FromOctets(name), SecurityStatus.Indeterminate,
            "there is no anchor above it", []);
        ZoneTrust trust = AtAnchor(DomainName.FromOctets(WildcardNames.Suffix(name, labels)));
        for (int depth = labels + 1;
            depth <= WireName.CountLabels(name) && trust.Status == SecurityStatus.Secure && !trust.IsEnd; depth++)
        {
            DomainName next = DomainName.FromOctets(WildcardNames.Suffix(name, depth));
            if (!_known.TryGetValue(next, out ZoneTrust? below)) _known[next] = below = Descend(trust, next);
            trust = below;
        }
        return trust;
    }

    private int FindAnchor(ReadOnlySpan<byte> name)
    {
        for (int labels = WireName.CountLabels(name); labels >= 0; labels--)
            foreach (TrustAnchor anchor in anchors)
                if (WireName.EqualsIgnoreCase(anchor.Zone.Octets, WildcardNames.Suffix(name, labels))) return labels;
        return -1;
    }

    private ZoneTrust AtAnchor(DomainName zone)
    {
        if (_known.TryGetValue(zone, out ZoneTrust? trust)) return trust;
        TrustAnchor[] own = [.. anchors.Where(anchor => anchor.Zone.Equals(zone))];
        return _known[zone] = Keep(ReadKeys(zone, key => own.Any(anchor => anchor.Names(key)), "the anchor"));
    }

    /// <summary>Goes one label down from a zone with trusted keys.</summary>
    private ZoneTrust Descend(ZoneTrust above, DomainName name)
    {
        if (!TryQuery(name, RRType.DS, out ReceivedMessage? message, out ZoneTrust? failed)) return Keep(failed);
        RRsetValidation validation = new(above.Zone.Octets, above.Keys, now, work);
        if (message.Find(MessageSection.Answer, name.Octets, RRType.DS) is ReceivedRRset ds)
        {
            ValidatedRRset validated = validation.Verify(ds);
            if (validated.Status != SecurityStatus.Secure) return Keep(Bogus(name, validated.Reason));
            return Keep(validated.IsExpanded ? Bogus(name, $"DS at {name} is of a wildcard") : Enter(name, ds));
        }
        // Neither the owner of an alias nor a name below a DNAME is a delegation.
        ReceivedRRset? alias =
            message.RRsets.FirstOrDefault(rrset => rrset is { Section: MessageSection.Answer, Type: RRType.DNAME }
            && WireName.IsAtOrBelow(name.Octets, rrset.Owner))
                ?? message.Find(MessageSection.Answer, name.Octets, RRType.CNAME);
        if (alias is not null)
        {
            ValidatedRRset validated = validation.Verify(alias);
            return validated.Status == SecurityStatus.Secure ? above : Keep(Bogus(name, validated.Reason));
        }
        return WithoutDs(above, name, message, validation);
    }

    private ZoneTrust WithoutDs(ZoneTrust above, DomainName name, ReceivedMessage message, RRsetValidation validation)
    {
        IDenial? denial = Denials.Of(above.Zone.Octets, message, validation, work);
        if (denial is null) return Keep(Bogus(name, $"there is neither DS at {name} nor a proof that there is none"));
        DenialVerdict verdict =
            message.Rcode == Rcode.NXDomain ? denial.ProveNoName(name.Octets) : DenialVerdict.NotProven;
        if (verdict == DenialVerdict.Proven)
            return new ZoneTrust(above.Zone, above.Status, above.Reason, above.Keys, above.Entry) { IsEnd = true };
        bool isCut = false;
        if (verdict == DenialVerdict.NotProven) verdict = denial.ProveNoType(name.Octets, RRType.DS, out isCut);
        return verdict switch
        {
            DenialVerdict.Proven when !isCut => above,
            DenialVerdict.Proven =>
                Keep(new ZoneTrust(name, SecurityStatus.Insecure, $"{name} is delegated without DS", [])),
            DenialVerdict.Insecure => Keep(new ZoneTrust(
                name, SecurityStatus.Insecure,
                $"{name} is in an opt-out span, or its chain has too many iterations", [])),
            _ => Keep(Bogus(name, $"the records do not prove that there is no DS at {name}")),
        };
    }

    /// <summary>Enters a zone by its DS records.</summary>
    private ZoneTrust Enter(DomainName zone, ReceivedRRset ds)
    {
        // DS records of unknown algorithms and digests are ignored; without others the zone is insecure (RFC 4035 §5.2,
        // RFC 6840 §5.2).
        byte[][] usable = [.. ds.Rdata.Where(IsUsable)];
        if (usable.Length == 0)
            return new ZoneTrust(zone, SecurityStatus.Insecure,
                $"no DS at {zone} has an algorithm and a digest that are known here", []);
        // SHA-1 is ignored beside a stronger digest (RFC 4509 §3).
        if (usable.Any(rdata => rdata[3] != (byte)DsDigest.Sha1))
            usable = [.. usable.Where(rdata => rdata[3] != (byte)DsDigest.Sha1)];
        return ReadKeys(zone, key => usable.Any(rdata => key.IsNamedBy(zone.Octets, rdata)), "a DS record");
    }

    private static bool IsUsable(byte[] ds) => ds.Length > 4 && DnssecAlgorithms.CanVerify((DnssecAlgorithm)ds[2])
        && (DsDigest)ds[3] is DsDigest.Sha1 or DsDigest.Sha256 or DsDigest.Sha384;

    /// <summary>Reads the keys of a zone: one with a DS record or anchor must sign them all.</summary>
    private ZoneTrust ReadKeys(DomainName zone, Func<Dnskey, bool> isNamed, string by)
    {
        if (!TryQuery(zone, RRType.DNSKEY, out ReceivedMessage? message, out ZoneTrust? failed)) return failed;
        if (message.Find(MessageSection.Answer, zone.Octets, RRType.DNSKEY) is not ReceivedRRset rrset)
            return Bogus(zone, $"there is no DNSKEY at {zone}");
        List<Dnskey> keys = [];
        foreach (byte[] rdata in rrset.Rdata.Take(ValidationWork.MaxKeys))
            if (Dnskey.TryRead(rdata, out Dnskey? key)) keys.Add(key);
        Dnskey[] entries = [.. keys.Where(key => key.IsZoneKey && !key.IsRevoked && isNamed(key))];
        if (entries.Length == 0) return Bogus(zone, $"no DNSKEY at {zone} is the one that {by} names");
        ValidatedRRset validated = new RRsetValidation(zone.Octets, entries, now, work).Verify(rrset);
        return validated.Status == SecurityStatus.Secure
            ? new ZoneTrust(zone, SecurityStatus.Secure, "", keys, validated.Key)
            : Bogus(zone, $"{validated.Reason} by a key that {by} names");
    }

    /// <summary>
    /// Queries for a link of the chain. Without a reply, and with one of an error such as SERVFAIL, the keys of the
    /// zone could not be obtained: its trust is indeterminate (RFC 4035 §4.3). A malformed reply is bogus.
    /// </summary>
    private bool TryQuery(DomainName name, RRType type, [NotNullWhen(true)] out ReceivedMessage? message,
        [NotNullWhen(false)] out ZoneTrust? failed)
    {
        (message, failed) = (null, null);
        string what = $"{RRTypeText.Format(type)} at {name}";
        if (!work.TryQuestion())
            failed = Bogus(name, $"more queries are needed than one question may cost, the next for {what}");
        else if (source.Query(name, type) is not byte[] octets)
            failed = Indeterminate(name, NoReply(source, name, type));
        else if ((message = ReceivedMessage.TryRead(octets, name.Octets, type)) is null)
            failed = Bogus(name, $"there is no answer that can be read for {what}");
        else if (message.Rcode is not (Rcode.NoError or Rcode.NXDomain))
            failed = Indeterminate(name, $"the answer for {what} is {RcodeText.Format(message.Rcode)}");
        return failed is null && message is not null;
    }

    /// <summary>Says which query had no reply, and why if that is known.</summary>
    internal static string NoReply(IMessageSource source, DomainName name, RRType type)
    {
        string cause = source.FindCause(name, type);
        return $"there is no answer for {RRTypeText.Format(type)} at {name}{(cause.Length == 0 ? "" : ": ")}{cause}";
    }

    private static ZoneTrust Indeterminate(DomainName zone, string reason) =>
        new(zone, SecurityStatus.Indeterminate, reason, []);

    private static ZoneTrust Bogus(DomainName zone, string reason) => new(zone, SecurityStatus.Bogus, reason, []);

    private ZoneTrust Keep(ZoneTrust trust)
    {
        _zones.Add(trust);
        return trust;
    }
}
