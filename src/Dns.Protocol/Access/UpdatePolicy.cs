namespace Dns.Protocol;

/// <summary>Who may change a zone by UPDATE: each change needs one rule that holds. Immutable; without rules nobody may.</summary>
/// <param name="rules">The rules.</param>
public sealed class UpdatePolicy(IEnumerable<UpdateRule> rules)
{
    private readonly UpdateRule[] _rules = [.. rules];

    /// <summary>The policy that lets nobody change anything.</summary>
    public static UpdatePolicy Nobody { get; } = new([]);

    /// <summary>The rules, in their order.</summary>
    public IReadOnlyList<UpdateRule> Rules => _rules;

    /// <summary>Whether the sender of a message may change anything at all.</summary>
    /// <param name="client">Who sent it.</param>
    /// <param name="key">The key that it is signed with; null if it is not signed.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key)
    {
        foreach (UpdateRule rule in _rules)
            if (rule.From.Admits(ref client, key)) return true;
        return false;
    }

    /// <summary>Whether the sender of a message may change records of a name and type.</summary>
    /// <param name="client">Who sent it.</param>
    /// <param name="key">The key that it is signed with; null if it is not signed.</param>
    /// <param name="owner">A valid wire name in any spelling.</param>
    /// <param name="type">The type; ANY stands for all types of the name.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key, ReadOnlySpan<byte> owner, RRType type)
    {
        foreach (UpdateRule rule in _rules)
            if (rule.From.Admits(ref client, key) && rule.Covers(owner, type)) return true;
        return false;
    }
}
