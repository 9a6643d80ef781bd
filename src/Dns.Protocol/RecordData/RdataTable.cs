using static Dns.Protocol.RecordData.RdataField;
using static Dns.Protocol.RecordData.RdataTraits;

namespace Dns.Protocol.RecordData;

/// <summary>One row per type: the place to add a type with known kinds of fields.</summary>
internal static class RdataTable
{
    private const RdataTraits Rfc1035 = MayLeaveCompressed | LowersNames;
    private const RdataTraits OldName = MayArriveCompressed | LowersNames;

    private static readonly RdataLayout Unknown = new(None, Opaque);
    private static readonly RdataLayout DelegationSigner = new(None, Number16, Algorithm, Number8, Hex);
    private static readonly RdataLayout Key = new(None, Number16, Number8, Algorithm, Base64);
    private static readonly RdataLayout Signature = new(
        LowersNames, TypeNumber, Algorithm, Number8, Number32, Time, Time, Number16, Name, Base64);
    private static readonly RdataLayout CertificateAssociation = new(None, Number8, Number8, Number8, Hex);
    private static readonly RdataLayout ServiceBinding = new(HasTarget, Number16, Name, SvcParams);
    private static readonly RdataLayout TextRecord = new(None, CharacterStrings);
    private static readonly RdataLayout Binary = new(None, Base64);

    // The few types above it are in the switch of Find.
    private static readonly RdataLayout?[] Rows = RowsOf(List());

    /// <summary>The row of a type; types without one are opaque.</summary>
    public static RdataLayout Find(RRType type)
    {
        RdataLayout?[] rows = Rows;
        if ((uint)type < (uint)rows.Length) return rows[(int)type] ?? Unknown;
        return type is RRType.TA or RRType.DLV ? DelegationSigner : Unknown;
    }

    /// <summary>A list by the values of its types; null between them.</summary>
    internal static RdataLayout?[] RowsOf((RRType Type, RdataLayout Layout)[] list)
    {
        RdataLayout?[] rows = new RdataLayout?[list.Max(row => (int)row.Type) + 1];
        foreach ((RRType type, RdataLayout layout) in list) rows[(int)type] = layout;
        return rows;
    }

    private static (RRType, RdataLayout)[] List() =>
    [
        (RRType.A, new(None, Ipv4)),
        (RRType.NS, new(Rfc1035 | HasTarget, Name)),
        (RRType.MD, new(Rfc1035 | HasTarget, Name)),
        (RRType.MF, new(Rfc1035 | HasTarget, Name)),
        (RRType.CNAME, new(Rfc1035 | HasTarget, Name)),
        (RRType.SOA, new(Rfc1035, Name, Name, Number32, Interval, Interval, Interval, Interval)),
        (RRType.MB, new(Rfc1035 | HasTarget, Name)),
        (RRType.MG, new(Rfc1035, Name)),
        (RRType.MR, new(Rfc1035, Name)),
        (RRType.NULL, Unknown),
        (RRType.WKS, new(None, Ipv4, WellKnownServices)),
        (RRType.PTR, new(Rfc1035 | HasTarget, Name)),
        (RRType.HINFO, new(None, CharacterString, CharacterString)),
        (RRType.MINFO, new(Rfc1035, Name, Name)),
        (RRType.MX, new(Rfc1035 | HasTarget, Number16, Name)),
        (RRType.TXT, TextRecord),
        (RRType.RP, new(OldName, Name, Name)),
        (RRType.AFSDB, new(OldName | HasTarget, Number16, Name)),
        (RRType.X25, new(None, DigitString)),
        (RRType.ISDN, new(None, CharacterString, OptionalCharacterString)),
        (RRType.RT, new(OldName | HasTarget, Number16, Name)),
        (RRType.NSAP, new(None, Nsap)),
        (RRType.NSAPPTR, new(HasTarget, Name)),
        (RRType.SIG, new(MayArriveCompressed | LowersNames, Signature.Fields)),
        (RRType.KEY, new(None, KeyFlags, KeyProtocol, Algorithm, OptionalBase64)),
        (RRType.PX, new(OldName, Number16, Name, Name)),
        (RRType.GPOS, new(None, CharacterString, CharacterString, CharacterString)),
        (RRType.AAAA, new(None, Ipv6)),
        (RRType.LOC, new(None, Location)),
        (RRType.NXT, new(OldName, Name, NxtBitmap)),
        (RRType.EID, new(None, Hex)),
        (RRType.NIMLOC, new(None, Hex)),
        (RRType.SRV, new(OldName | HasTarget, Number16, Number16, Number16, Name)),
        (RRType.ATMA, new(None, AtmAddress)),
        (RRType.NAPTR,
            new(OldName | HasTarget, Number16, Number16, CharacterString, CharacterString, CharacterString, Name)),
        (RRType.KX, new(OldName | HasTarget, Number16, Name)),
        (RRType.CERT, new(None, CertificateType, Number16, AlgorithmMnemonic, Base64)),
        (RRType.A6, new(LowersNames, A6)),
        (RRType.DNAME, new(LowersNames | HasTarget, Name)),
        (RRType.SINK, new(None, Number8, Number8, Number8, OptionalBase64)),
        (RRType.APL, new(None, AddressPrefixes)),
        (RRType.DS, DelegationSigner),
        (RRType.SSHFP, new(None, Number8, Number8, Hex)),
        (RRType.IPSECKEY, new(None, Number8, IpsecGateway, OptionalBase64)),
        (RRType.RRSIG, Signature),
        (RRType.NSEC, new(None, Name, NonEmptyTypes)),
        (RRType.DNSKEY, Key),
        (RRType.DHCID, Binary),
        (RRType.NSEC3, new(None, Number8, Number8, Number16, Salt, HashedName, Types)),
        (RRType.NSEC3PARAM, new(None, Number8, Number8, Number16, Salt)),
        (RRType.TLSA, CertificateAssociation),
        (RRType.SMIMEA, CertificateAssociation),
        (RRType.HIP, new(None, HostIdentity)),
        (RRType.NINFO, TextRecord),
        (RRType.RKEY, Key),
        (RRType.TALINK, new(None, Name, Name)),
        (RRType.CDS, DelegationSigner),
        (RRType.CDNSKEY, Key),
        (RRType.OPENPGPKEY, Binary),
        (RRType.CSYNC, new(None, Number32, Number16, Types)),
        (RRType.ZONEMD, new(None, Number32, Number8, Number8, Hex)),
        (RRType.SVCB, ServiceBinding),
        (RRType.HTTPS, ServiceBinding),
        (RRType.DSYNC, new(HasTarget, TypeNumber, NotifyScheme, Number16, Name)),
        (RRType.HHIT, Binary),
        (RRType.BRID, Binary),
        (RRType.SPF, TextRecord),
        (RRType.NID, new(None, Number16, Locator64)),
        (RRType.L32, new(None, Number16, Ipv4)),
        (RRType.L64, new(None, Number16, Locator64)),
        (RRType.LP, new(HasTarget, Number16, Name)),
        (RRType.EUI48, new(None, Eui48)),
        (RRType.EUI64, new(None, Eui64)),
        (RRType.URI, new(None, Number16, Number16, NonEmptyText)),
        (RRType.CAA, new(None, Number8, Tag, Text)),
        (RRType.AVC, TextRecord),
        (RRType.DOA, new(None, Number32, Number32, Number8, CharacterString, DashedBase64)),
        (RRType.AMTRELAY, new(None, Number8, AmtRelay)),
        (RRType.RESINFO, TextRecord),
        (RRType.WALLET, TextRecord),
        (RRType.CLA, TextRecord),
        (RRType.IPN, new(None, Number64)),
    ];
}
