namespace Dns.Zones.Denial;

/// <summary>The sort keys of a denial chain.</summary>
internal interface IDenialKey
{
    static abstract int MaxOctets { get; }

    /// <summary>Whether keys are uniformly distributed, so that interpolation finds their position.</summary>
    static abstract bool IsUniform { get; }

    /// <summary>Writes the key of a name of the chain and returns its length.</summary>
    /// <param name="name">A lower-case name at or below the zone's.</param>
    /// <param name="key">Receives up to <see cref="MaxOctets"/> octets.</param>
    static abstract int Write(ReadOnlySpan<byte> name, int apexOctets, Span<byte> key);
}

/// <summary>Canonical order, that of NSEC records (RFC 4034 §6.1).</summary>
internal readonly struct CanonicalDenialKey : IDenialKey
{
    public static int MaxOctets => CanonicalKey.MaxOctets;

    public static bool IsUniform => false;

    public static int Write(ReadOnlySpan<byte> name, int apexOctets, Span<byte> key) =>
        CanonicalKey.Write(name, apexOctets, key);
}

/// <summary>The order of hashes, for NSEC3 (RFC 5155 §1.3); a name is the hash in base 32 below the apex.</summary>
internal readonly struct HashedDenialKey : IDenialKey
{
    public static int MaxOctets => Nsec3Hash.LengthOctets;

    public static bool IsUniform => true;

    public static int Write(ReadOnlySpan<byte> name, int apexOctets, Span<byte> key) =>
        Nsec3Owner.TryRead(name, apexOctets, key) ? Nsec3Hash.LengthOctets : 0;
}
