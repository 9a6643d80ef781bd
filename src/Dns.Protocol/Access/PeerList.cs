
namespace Dns.Protocol;

/// <summary>Who may transfer, notify or update a zone: one rule must hold. Immutable; without rules nobody may.</summary>
public sealed class PeerList
{
    private readonly PeerRule[] _rules;

    /// <summary>Makes a list.</summary>
    public PeerList(IEnumerable<PeerRule> rules) => _rules = [.. rules];

    /// <summary>The list that nobody is on.</summary>
    public static PeerList Nobody { get; } = new([]);

    /// <summary>The rules, in their order.</summary>
    public IReadOnlyList<PeerRule> Rules => _rules;

    /// <summary>Whether a message fulfils a rule.</summary>
    /// <param name="client">Who sent it.</param>
    /// <param name="key">The key that it is signed with; null if it is not signed.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key)
    {
        foreach (PeerRule rule in _rules)
            if (rule.Admits(ref client, key)) return true;
        return false;
    }
}
