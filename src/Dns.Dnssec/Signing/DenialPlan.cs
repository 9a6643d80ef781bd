namespace Dns.Dnssec.Signing;

/// <summary>How a zone denies existence: with NSEC (RFC 4034 §4) or NSEC3 (RFC 5155).</summary>
public sealed partial record DenialPlan
{
    private readonly byte[] _salt = [];

    private DenialPlan()
    {
    }

    /// <summary>NSEC.</summary>
    public static DenialPlan Nsec { get; } = new();

    /// <summary>NSEC3 without salt and additional iterations (RFC 9276 §3.1).</summary>
    public static DenialPlan Nsec3 { get; } = new() { IsHashed = true };

    /// <summary>The same with opt-out: unsigned delegations have no NSEC3 record (RFC 5155 §6).</summary>
    public static DenialPlan Nsec3OptOut { get; } = new() { IsHashed = true, OptsOut = true };

    /// <summary>
    /// Compact denial (RFC 9824): no chain. Only SOA and the key records are signed, other RRsets by an <see
    /// cref="IOnlineSigner"/> when an answer needs them.
    /// </summary>
    public static DenialPlan Compact { get; } = new() { IsCompact = true };

    /// <summary>Whether it is compact denial.</summary>
    public bool IsCompact { get; private init; }

    /// <summary>Whether it is NSEC3.</summary>
    public bool IsHashed { get; private init; }

    /// <summary>Whether unsigned delegations are left out.</summary>
    public bool OptsOut { get; private init; }

    /// <summary>Additional iterations, 0 to 100.</summary>
    public int Iterations { get; private init; }

    /// <summary>The salt, 0 to 255 octets.</summary>
    public ReadOnlySpan<byte> Salt => _salt;

    /// <summary>The flags of NSEC3 records.</summary>
    internal byte Flags => OptsOut ? (byte)1 : (byte)0;

    /// <summary>NSEC3 with a salt or iterations, for operators who need them; the RFC advises against both.</summary>
    public static DenialPlan Hashed(int iterations, ReadOnlySpan<byte> salt, bool optsOut) =>
        new(salt.ToArray()) { IsHashed = true, Iterations = iterations, OptsOut = optsOut };

    private DenialPlan(byte[] salt) => _salt = salt;

    /// <inheritdoc/>
    public bool Equals(DenialPlan? other) =>
        other is not null && IsCompact == other.IsCompact && IsHashed == other.IsHashed && OptsOut == other.OptsOut
        && Iterations == other.Iterations && _salt.AsSpan().SequenceEqual(other._salt);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(IsCompact, IsHashed, OptsOut, Iterations, _salt.Length);

    internal string? FindFault()
    {
        if (Iterations is < 0 or > Nsec3Hash.MaxIterations)
            return $"found {Iterations} iterations of NSEC3, expected 0 to {Nsec3Hash.MaxIterations}";
        return _salt.Length > Nsec3Hash.MaxSaltOctets
            ? $"found a salt of {_salt.Length} octets, expected at most {Nsec3Hash.MaxSaltOctets}" : null;
    }
}
