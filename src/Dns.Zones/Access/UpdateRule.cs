namespace Dns.Zones.Access;

/// <summary>Permits a client to change records of a zone by UPDATE (RFC 3007 §3).</summary>
public sealed record UpdateRule(PeerRule From)
{
    /// <summary>The permitted owners; null = any. A name matches itself, <c>*.x</c> every name below x.</summary>
    public IReadOnlyList<DomainName>? Names { get; init; }

    /// <summary>The permitted types; null = any.</summary>
    public IReadOnlyList<RRType>? Types { get; init; }

    /// <summary>Whether the rule permits a change of records of a name and type.</summary>
    /// <param name="owner">A valid wire name in any letter case.</param>
    /// <param name="type">ANY stands for all types of the name, which only a rule without types covers.</param>
    public bool Covers(ReadOnlySpan<byte> owner, RRType type) =>
        (Types is null || Types.Contains(type)) && (Names is null || CoversName(owner));

    private bool CoversName(ReadOnlySpan<byte> owner)
    {
        foreach (DomainName name in Names!)
            if (Covers(name.Octets, owner)) return true;
        return false;
    }

    private static bool Covers(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> owner)
    {
        if (pattern is not [1, (byte)'*', ..]) return WireName.EqualsIgnoreCase(pattern, owner);
        ReadOnlySpan<byte> parent = pattern[2..];
        // Label by label: the octets within a label could equal the parent.
        while (owner.Length > parent.Length)
        {
            owner = owner[(owner[0] + 1)..];
            if (owner.Length == parent.Length) return WireName.EqualsIgnoreCase(parent, owner);
        }
        return false;
    }
}
