namespace Dns.Dnssec.Validation;

/// <summary>The RDATA of an NSEC3 record (RFC 5155 §3.2). Borrows the octets.</summary>
public readonly ref struct Nsec3Fields
{
    /// <summary>The opt-out flag: insecure delegations in the span may lack a record (RFC 5155 §3.1.2.1).</summary>
    public const byte OptOutFlag = 1;

    private const int FixedOctets = 5;

    private readonly ReadOnlySpan<byte> _rdata;

    private Nsec3Fields(ReadOnlySpan<byte> rdata) => _rdata = rdata;

    /// <summary>The hash algorithm, iterations and salt with its length, equal in all records of a chain.</summary>
    public Nsec3ChainParameters Parameters => new(_rdata[0], Iterations, Salt);

    /// <summary>The number of additional iterations.</summary>
    public int Iterations => BinaryPrimitives.ReadUInt16BigEndian(_rdata[2..]);

    /// <summary>The salt.</summary>
    public ReadOnlySpan<byte> Salt => _rdata.Slice(FixedOctets, _rdata[4]);

    /// <summary>Whether the opt-out flag is set.</summary>
    public bool IsOptOut => (_rdata[1] & OptOutFlag) != 0;

    /// <summary>Whether an unknown flag is set; the record is then ignored (RFC 5155 §8.2).</summary>
    public bool HasUnknownFlags => (_rdata[1] & ~OptOutFlag) != 0;

    /// <summary>The next hash.</summary>
    public ReadOnlySpan<byte> Next => _rdata.Slice(NextAt, _rdata[NextAt - 1]);

    /// <summary>The types at the name whose hash the owner is: <see cref="TypeBits"/>.</summary>
    public ReadOnlySpan<byte> Types => _rdata[(NextAt + _rdata[NextAt - 1])..];

    private int NextAt => FixedOctets + _rdata[4] + 1;

    /// <summary>Reads RDATA.</summary>
    /// <returns>False if it is malformed, of another hash than SHA-1, or with a next hash of another length.</returns>
    public static bool TryRead(ReadOnlySpan<byte> rdata, out Nsec3Fields fields)
    {
        fields = default;
        if (!Rdata.IsValid(RRType.NSEC3, rdata)) return false;
        fields = new Nsec3Fields(rdata);
        return rdata[0] == Nsec3Hash.Algorithm && fields.Next.Length == Nsec3Hash.LengthOctets;
    }
}

/// <summary>The parameters of a chain.</summary>
public readonly ref struct Nsec3ChainParameters(byte algorithm, int iterations, ReadOnlySpan<byte> salt)
{
    /// <summary>The hash.</summary>
    public byte Algorithm { get; } = algorithm;

    /// <summary>Additional iterations.</summary>
    public int Iterations { get; } = iterations;

    /// <summary>The salt.</summary>
    public ReadOnlySpan<byte> Salt { get; } = salt;

    /// <summary>Whether hashes are equal with both.</summary>
    public bool IsEqualTo(Nsec3ChainParameters other) =>
        Algorithm == other.Algorithm && Iterations == other.Iterations && Salt.SequenceEqual(other.Salt);
}
