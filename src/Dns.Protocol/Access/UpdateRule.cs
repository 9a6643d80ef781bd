namespace Dns.Protocol;

/// <summary>Who may change which records of a zone by UPDATE (RFC 3007 §3).</summary>
/// <param name="From">Who.</param>
public sealed record UpdateRule(PeerRule From)
{
    /// <summary>
    /// The owners that may be changed; null = any. A name stands for itself; one that starts with the label <c>*</c> stands for every
    /// name below the rest, not for the rest itself.
    /// </summary>
    public IReadOnlyList<DomainName>? Names { get; init; }

    /// <summary>The types that may be changed; null = any.</summary>
    public IReadOnlyList<RRType>? Types { get; init; }

    /// <summary>Whether the rule lets records of a name and type be changed.</summary>
    /// <param name="owner">A valid wire name in any spelling.</param>
    /// <param name="type">The type; ANY stands for all types of the name, which only a rule without types covers.</param>
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
        // Label by label: the octets of a label could look like the parent.
        while (owner.Length > parent.Length)
        {
            owner = owner[(owner[0] + 1)..];
            if (owner.Length == parent.Length) return WireName.EqualsIgnoreCase(parent, owner);
        }
        return false;
    }
}
