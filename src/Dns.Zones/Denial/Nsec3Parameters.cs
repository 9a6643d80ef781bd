namespace Dns.Zones.Denial;

/// <summary>The hash parameters of an NSEC3 chain (RFC 5155 §4), as in an NSEC3PARAM record. Immutable.</summary>
public sealed class Nsec3Parameters
{
    private const int FixedOctets = 5;

    // Algorithm, flags, iterations, length of the salt, salt.
    private readonly byte[] _octets;

    private Nsec3Parameters(ReadOnlySpan<byte> octets) => _octets = octets.ToArray();

    /// <summary>The hash algorithm; 1 is SHA-1, the only one defined.</summary>
    public byte Algorithm => _octets[0];

    /// <summary>The flags; a record with other flags than 0 is ignored (RFC 5155 §4.1.2).</summary>
    public byte Flags => _octets[1];

    /// <summary>The additional iterations.</summary>
    public int Iterations => BinaryPrimitives.ReadUInt16BigEndian(_octets.AsSpan(2));

    /// <summary>The salt, 0 to 255 octets.</summary>
    public ReadOnlySpan<byte> Salt => _octets.AsSpan(FixedOctets);

    /// <summary>The octets of these parameters in RDATA: the start of an NSEC3 record.</summary>
    internal int LengthOctets => _octets.Length;

    /// <summary>Whether the server supports such a chain.</summary>
    public bool IsServed => Algorithm == Nsec3Hash.Algorithm && Flags == 0 && Iterations <= Nsec3Hash.MaxIterations;

    /// <summary>Why such a zone is not served, with actual and expected values; null if it is.</summary>
    internal string? Fault(ReadOnlySpan<byte> apex)
    {
        string at = $"NSEC3PARAM at {NameText.ToText(apex)}";
        if (Algorithm != Nsec3Hash.Algorithm) return $"{at}: found hash algorithm {Algorithm}, expected 1 (SHA-1)";
        if (Iterations > Nsec3Hash.MaxIterations)
            return $"{at}: found {Iterations} iterations, expected at most {Nsec3Hash.MaxIterations}: each is " +
                $"computed for every query";
        return apex.Length > Nsec3Owner.MaxApexOctets
            ? $"{at}: found a name of {apex.Length} octets, expected at most {Nsec3Owner.MaxApexOctets} below a hash"
            : null;
    }

    /// <summary>Reads the RDATA of an NSEC3PARAM record, or the start of that of an NSEC3 record.</summary>
    /// <returns>Null if it is too short.</returns>
    public static Nsec3Parameters? Read(ReadOnlySpan<byte> rdata) =>
        rdata.Length >= FixedOctets && rdata.Length >= FixedOctets + rdata[FixedOctets - 1]
            ? new Nsec3Parameters(rdata[..(FixedOctets + rdata[FixedOctets - 1])]) : null;

    /// <summary>Whether an NSEC3 record is in the chain with these parameters.</summary>
    public bool IsOf(ReadOnlySpan<byte> rdata) =>
        rdata.Length >= _octets.Length && rdata[0] == _octets[0] &&
            rdata[2.._octets.Length].SequenceEqual(_octets.AsSpan(2));

    /// <summary>Whether two have the same algorithm, iterations and salt.</summary>
    public bool Equals(Nsec3Parameters other) => other._octets.AsSpan().SequenceEqual(_octets);

    /// <summary>Hashes a name.</summary>
    /// <param name="name">A lower-case wire name.</param>
    /// <param name="hash">Receives <see cref="Nsec3Hash.LengthOctets"/> octets.</param>
    public void Hash(ReadOnlySpan<byte> name, Span<byte> hash) => Nsec3Hash.Compute(name, Salt, Iterations, hash);
}
