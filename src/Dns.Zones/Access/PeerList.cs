
namespace Dns.Zones.Access;

/// <summary>The access list of transfers, notifications or updates; without rules it denies all. Immutable.</summary>
public sealed class PeerList
{
    private readonly PeerRule[] _rules;

    /// <summary>Creates a list.</summary>
    public PeerList(IEnumerable<PeerRule> rules) => _rules = [.. rules];

    /// <summary>The empty list, which denies all.</summary>
    public static PeerList Empty { get; } = new([]);

    /// <summary>The rules, in their order.</summary>
    public IReadOnlyList<PeerRule> Rules => _rules;

    /// <summary>Whether a message matches a rule.</summary>
    /// <param name="key">The verified TSIG key; null = unsigned.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key)
    {
        foreach (PeerRule rule in _rules)
            if (rule.Admits(ref client, key)) return true;
        return false;
    }
}
