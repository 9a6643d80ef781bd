namespace Dns.Zones.Tests;

/// <summary>A record of a generated zone, its owner as lower-case text without the final dot.</summary>
internal sealed record GeneratedRecord(string Owner, RRType Type, uint Ttl, byte[] Rdata);

/// <summary>
/// Lookup as RFC 1034 §4.3.2, RFC 4592 §3.3 and RFC 6672 §3.2 tell it, from the apex down, label by label, over a
/// dictionary of text: slow, plain, and nothing like what it judges.
/// </summary>
internal sealed class LookupOracle
{
    private readonly string _apex;
    private readonly Dictionary<string, HashSet<RRType>> _names = [];

    public LookupOracle(string apex, IEnumerable<GeneratedRecord> records)
    {
        _apex = apex;
        _names[apex] = [];
        foreach (GeneratedRecord record in records)
        {
            for (string name = record.Owner; name != apex; name = Parent(name)) _names.TryAdd(name, []);
            _names[record.Owner].Add(record.Type);
        }
    }

    /// <summary>Every name that exists, empty non-terminals included.</summary>
    public IReadOnlyCollection<string> Names => _names.Keys;

    /// <summary>
    /// The outcome, the name it speaks of, and how many labels of the question stand in front of the encloser.
    /// </summary>
    public (LookupOutcome Outcome, string Node, int Skipped) Lookup(string name, RRType type)
    {
        string[] labels =
            name[..Math.Max(0, name.Length - _apex.Length - 1)].Split('.', StringSplitOptions.RemoveEmptyEntries);
        string node = _apex;
        for (int left = labels.Length; ; left--)
        {
            bool isCut =
                node != _apex && !node.StartsWith("*.", StringComparison.Ordinal) && _names[node].Contains(RRType.NS);
            if (isCut && !(left == 0 && type == RRType.DS)) return (LookupOutcome.Delegation, node, left);
            if (left == 0) return (LookupOutcome.Found, node, 0);
            if (_names[node].Contains(RRType.DNAME)) return (LookupOutcome.Redirection, node, left);
            string child = $"{labels[left - 1]}.{node}";
            if (!_names.ContainsKey(child))
            {
                string wildcard = $"*.{node}";
                return _names.ContainsKey(wildcard)
                    ? (LookupOutcome.Wildcard, wildcard, left) : (LookupOutcome.NameError, node, left);
            }
            node = child;
        }
    }

    private static string Parent(string name) => name[(name.IndexOf('.') + 1)..];
}
