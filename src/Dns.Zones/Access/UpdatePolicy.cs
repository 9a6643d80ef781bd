namespace Dns.Zones.Access;

/// <summary>The UPDATE rules of a zone: each change needs a match; without rules, all is denied. Immutable.</summary>
public sealed class UpdatePolicy(IEnumerable<UpdateRule> rules)
{
    private readonly UpdateRule[] _rules = [.. rules];

    /// <summary>The policy that denies all.</summary>
    public static UpdatePolicy Empty { get; } = new([]);

    /// <summary>The rules, in their order.</summary>
    public IReadOnlyList<UpdateRule> Rules => _rules;

    /// <summary>Whether the client may change anything at all.</summary>
    /// <param name="key">The verified TSIG key; null = unsigned.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key)
    {
        foreach (UpdateRule rule in _rules)
            if (rule.From.Admits(ref client, key)) return true;
        return false;
    }

    /// <summary>Whether the client may change records of a name and type.</summary>
    /// <param name="owner">A valid wire name in any letter case.</param>
    /// <param name="type">The type; ANY stands for all types of the name.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key, ReadOnlySpan<byte> owner, RRType type)
    {
        foreach (UpdateRule rule in _rules)
            if (rule.From.Admits(ref client, key) && rule.Covers(owner, type)) return true;
        return false;
    }
}
