namespace Dns.Dnssec.Keys;

/// <summary>A verifying key made from a DNSKEY record's RDATA (RFC 4034 §2). Immutable and thread-safe.</summary>
/// <remarks><code>
///  +--------+----------+-----------+----------------------------+
///  | flags  | protocol | algorithm | public key                 |
///  | 16     | 8, is 3  | 8         | depends on the algorithm   |
///  +--------+----------+-----------+----------------------------+
/// </code>
/// Any octets from the network are accepted: an invalid key, or one out of bounds, verifies nothing.
/// </remarks>
public sealed class Dnskey : IEquatable<Dnskey>
{
    /// <summary>The flag of a key that signs a zone (RFC 4034 §2.1.1).</summary>
    public const ushort ZoneFlag = 0x0100;

    /// <summary>The flag of a revoked key (RFC 5011 §7).</summary>
    public const ushort RevokeFlag = 0x0080;

    /// <summary>The flag of a secure entry point (RFC 4034 §2.1.1).</summary>
    public const ushort SepFlag = 0x0001;

    /// <summary>Octets before the public key.</summary>
    public const int FixedOctets = 4;

    private const byte Protocol = 3;

    private readonly byte[] _rdata;
    private readonly Lazy<VerifyingKey?> _key;

    private Dnskey(byte[] rdata)
    {
        _rdata = rdata;
        Tag = KeyTag.Of(rdata);
        _key = new Lazy<VerifyingKey?>(() => VerifyingKey.TryMake(Algorithm, KeyOctets),
            LazyThreadSafetyMode.ExecutionAndPublication);
    }

    /// <summary>The RDATA.</summary>
    public ReadOnlySpan<byte> Rdata => _rdata;

    /// <summary>The flags.</summary>
    public ushort Flags => BinaryPrimitives.ReadUInt16BigEndian(_rdata);

    /// <summary>Whether the key may sign a zone.</summary>
    public bool IsZoneKey => (Flags & ZoneFlag) != 0 && _rdata[2] == Protocol;

    /// <summary>Whether it is a secure entry point, for a DS record or an anchor.</summary>
    public bool IsSep => (Flags & SepFlag) != 0;

    /// <summary>Whether it is revoked (RFC 5011 §2.1): it then only signs its own revocation.</summary>
    public bool IsRevoked => (Flags & RevokeFlag) != 0;

    /// <summary>The algorithm; any number.</summary>
    public DnssecAlgorithm Algorithm => (DnssecAlgorithm)_rdata[3];

    /// <summary>The key tag (RFC 4034 app. B); not unique.</summary>
    public ushort Tag { get; }

    /// <summary>The public key in the encoding of its algorithm.</summary>
    public ReadOnlySpan<byte> KeyOctets => _rdata.AsSpan(FixedOctets);

    /// <summary>Whether the key is valid, within bounds, and of an algorithm that this machine verifies.</summary>
    public bool CanVerify => _key.Value is not null;

    /// <summary>Bits of the modulus of RSA, or of the field of a curve; 0 if the key cannot verify.</summary>
    public int Bits => _key.Value?.Bits ?? 0;

    /// <summary>Reads the RDATA of DNSKEY or CDNSKEY.</summary>
    /// <returns>False if it is too short. A key of an unknown algorithm is accepted, and verifies nothing.</returns>
    public static bool TryRead(ReadOnlySpan<byte> dnskeyRdata, [NotNullWhen(true)] out Dnskey? key)
    {
        key = dnskeyRdata.Length is > FixedOctets and <= ushort.MaxValue ? new Dnskey(dnskeyRdata.ToArray()) : null;
        return key is not null;
    }

    /// <summary>Creates a key from its fields.</summary>
    public static Dnskey Of(ushort flags, DnssecAlgorithm algorithm, ReadOnlySpan<byte> keyOctets)
    {
        byte[] rdata = new byte[FixedOctets + keyOctets.Length];
        BinaryPrimitives.WriteUInt16BigEndian(rdata, flags);
        (rdata[2], rdata[3]) = (Protocol, (byte)algorithm);
        keyOctets.CopyTo(rdata.AsSpan(FixedOctets));
        return new Dnskey(rdata);
    }

    /// <summary>The same key with other flags, and so with another tag.</summary>
    public Dnskey WithFlags(ushort flags) => Of(flags, Algorithm, KeyOctets);

    /// <summary>Whether this key made a signature over some octets. Never throws, for any octets.</summary>
    public bool Verify(ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature) =>
        _key.Value?.Verify(data, signature) ?? false;

    /// <summary>Makes the RDATA of the key's DS record (RFC 4034 §5.1.4).</summary>
    /// <param name="owner">The name of the zone, in any letter case.</param>
    /// <param name="rdata">The RDATA; empty for an unknown digest.</param>
    public bool TryMakeDs(ReadOnlySpan<byte> owner, DsDigest digestType, out byte[] rdata) =>
        DsRecord.TryMake(this, owner, digestType, out rdata);

    /// <summary>Whether the RDATA of a DS record matches this key. False for any other octets.</summary>
    public bool IsNamedBy(ReadOnlySpan<byte> owner, ReadOnlySpan<byte> dsRdata) =>
        DsRecord.IsOf(this, owner, dsRdata);

    /// <inheritdoc/>
    public bool Equals(Dnskey? other) => other is not null && other._rdata.AsSpan().SequenceEqual(_rdata);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as Dnskey);

    /// <inheritdoc/>
    public override int GetHashCode() => (int)NameHash.OfOctets(_rdata);

    /// <summary>The algorithm and the tag.</summary>
    public override string ToString() => $"{DnssecAlgorithms.NameOf(Algorithm)}/{Tag}";
}
