namespace Dns.Dnssec.Keys;

/// <summary>The RDATA of an RRSIG record (RFC 4034 §3.1). Borrows the octets.</summary>
/// <remarks><code>
///  0  type covered       16
///  2  algorithm           8
///  3  labels              8   of the owner, without the root and an asterisk
///  4  original TTL       32   seconds
///  8  expiration         32   seconds since 1970, in the arithmetic of RFC 1982
/// 12  inception          32
/// 16  key tag            16
/// 18  signer's name           uncompressed
///  -  signature
/// </code></remarks>
public readonly ref struct RrsigFields
{
    /// <summary>Octets before the signer's name.</summary>
    public const int FixedOctets = 18;

    /// <summary>Maximum octets before the signature.</summary>
    public const int MaxPrefixOctets = FixedOctets + WireName.MaxOctets;

    private readonly ReadOnlySpan<byte> _rdata;
    private readonly int _prefixOctets;

    private RrsigFields(ReadOnlySpan<byte> rdata, int prefixOctets)
    {
        _rdata = rdata;
        _prefixOctets = prefixOctets;
    }

    /// <summary>Reads RDATA.</summary>
    public static bool TryRead(ReadOnlySpan<byte> rdata, out RrsigFields fields)
    {
        fields = default;
        if (rdata.Length <= FixedOctets || !WireName.TryMeasure(rdata[FixedOctets..], out int signer)) return false;
        fields = new RrsigFields(rdata, FixedOctets + signer);
        return rdata.Length > FixedOctets + signer;
    }

    /// <summary>The type of the signed RRset.</summary>
    public RRType TypeCovered => (RRType)BinaryPrimitives.ReadUInt16BigEndian(_rdata);

    /// <summary>The algorithm.</summary>
    public DnssecAlgorithm Algorithm => (DnssecAlgorithm)_rdata[2];

    /// <summary>Labels of the owner, without the root and an asterisk.</summary>
    public int Labels => _rdata[3];

    /// <summary>The TTL of the RRset in its zone, in seconds.</summary>
    public uint OriginalTtl => BinaryPrimitives.ReadUInt32BigEndian(_rdata[4..]);

    /// <summary>When the signature expires, in seconds since 1970 modulo 2^32; it is valid in that second.</summary>
    public uint Expiration => BinaryPrimitives.ReadUInt32BigEndian(_rdata[8..]);

    /// <summary>When it becomes valid, in seconds since 1970 modulo 2^32.</summary>
    public uint Inception => BinaryPrimitives.ReadUInt32BigEndian(_rdata[12..]);

    /// <summary>The tag of the key.</summary>
    public ushort KeyTag => BinaryPrimitives.ReadUInt16BigEndian(_rdata[16..]);

    /// <summary>The name of the zone that signed, as received.</summary>
    public ReadOnlySpan<byte> Signer => _rdata[FixedOctets.._prefixOctets];

    /// <summary>The signature.</summary>
    public ReadOnlySpan<byte> Signature => _rdata[_prefixOctets..];

    /// <summary>All octets before the signature, which are signed too.</summary>
    public ReadOnlySpan<byte> Prefix => _rdata[.._prefixOctets];

    /// <summary>Whether the signature has expired (RFC 4034 §3.1.5).</summary>
    /// <param name="now">Seconds since 1970 modulo 2^32.</param>
    public bool IsExpired(uint now) => SerialNumber.IsGreater(now, Expiration);

    /// <summary>Whether it is not valid yet.</summary>
    /// <param name="now">Seconds since 1970 modulo 2^32.</param>
    public bool IsEarly(uint now) => SerialNumber.IsGreater(Inception, now);

    /// <summary>The time of a 32-bit second next to another time (RFC 4034 §3.1.5).</summary>
    /// <param name="seconds">Seconds since 1970 modulo 2^32.</param>
    /// <param name="near">A time at most 68 years away.</param>
    public static DateTimeOffset TimeOf(uint seconds, DateTimeOffset near)
    {
        long anchor = near.ToUnixTimeSeconds();
        return DateTimeOffset.FromUnixTimeSeconds(anchor + unchecked((int)(seconds - (uint)anchor)));
    }

    /// <summary>A time in records: seconds since 1970 modulo 2^32.</summary>
    public static uint SecondsOf(DateTimeOffset time) => unchecked((uint)time.ToUnixTimeSeconds());

    /// <summary>Writes the octets before the signature, and returns their length.</summary>
    /// <param name="destination">At least <see cref="MaxPrefixOctets"/>.</param>
    /// <param name="labels">Labels of the owner: <see cref="CanonicalRRset.LabelsOf"/>.</param>
    /// <param name="ttl">The TTL in seconds.</param>
    /// <param name="inception">Seconds since 1970 modulo 2^32.</param>
    /// <param name="expiration">Seconds since 1970 modulo 2^32.</param>
    /// <param name="signer">The zone's name, in lower case.</param>
    public static int WritePrefix(
        Span<byte> destination, RRType type, Dnskey key, int labels, uint ttl, uint inception, uint expiration,
        ReadOnlySpan<byte> signer)
    {
        BinaryPrimitives.WriteUInt16BigEndian(destination, (ushort)type);
        (destination[2], destination[3]) = ((byte)key.Algorithm, (byte)labels);
        BinaryPrimitives.WriteUInt32BigEndian(destination[4..], ttl);
        BinaryPrimitives.WriteUInt32BigEndian(destination[8..], expiration);
        BinaryPrimitives.WriteUInt32BigEndian(destination[12..], inception);
        BinaryPrimitives.WriteUInt16BigEndian(destination[16..], key.Tag);
        signer.CopyTo(destination[FixedOctets..]);
        return FixedOctets + signer.Length;
    }
}
