namespace Dns.Dnssec.Validation;

/// <summary>A trusted key, by its DS or its DNSKEY record.</summary>
public sealed class TrustAnchor
{
    private readonly byte[] _rdata;

    private TrustAnchor(DomainName zone, RRType type, byte[] rdata) => (Zone, Type, _rdata) = (zone, type, rdata);

    /// <summary>The zone of the key.</summary>
    public DomainName Zone { get; }

    /// <summary>DS or DNSKEY.</summary>
    public RRType Type { get; }

    /// <summary>Creates an anchor from DS RDATA.</summary>
    public static TrustAnchor OfDs(DomainName zone, ReadOnlySpan<byte> rdata) => new(zone, RRType.DS, rdata.ToArray());

    /// <summary>Creates an anchor from a key.</summary>
    public static TrustAnchor OfKey(DomainName zone, Dnskey key) => new(zone, RRType.DNSKEY, key.Rdata.ToArray());

    /// <summary>Whether it matches a key.</summary>
    internal bool Names(Dnskey key) =>
        Type == RRType.DS ? key.IsNamedBy(Zone.Octets, _rdata) : key.Rdata.SequenceEqual(_rdata);

    /// <summary>Zone, type and tag.</summary>
    public override string ToString() =>
        $"{Zone} {RRTypeText.Format(Type)} {(Type == RRType.DS ? _rdata[0] << 8 | _rdata[1] : KeyTag.Of(_rdata))}";
}
