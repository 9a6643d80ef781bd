namespace Dns.Zones;

/// <summary>How a name stands to a zone's data (RFC 1034 §4.3.2 step 3, RFC 4592 §3.3, RFC 6672 §3.2).</summary>
public enum LookupOutcome : byte
{
    /// <summary>The name exists, perhaps without any data.</summary>
    Found,

    /// <summary>The name does not exist and a wildcard answers for it; the node is the wildcard.</summary>
    Wildcard,

    /// <summary>The name lies at or below a zone cut; the node is the cut.</summary>
    Delegation,

    /// <summary>The name lies below a DNAME; the node owns it.</summary>
    Redirection,

    /// <summary>The name does not exist; the node is its closest encloser.</summary>
    NameError,
}

/// <summary>What a lookup found.</summary>
/// <remarks>Borrows the zone's memory.</remarks>
public readonly ref struct LookupResult
{
    internal LookupResult(LookupOutcome outcome, ZoneNode node, int skippedLabels)
    {
        Outcome = outcome;
        Node = node;
        SkippedLabels = skippedLabels;
    }

    /// <summary>How the name stands to the data.</summary>
    public LookupOutcome Outcome { get; }

    /// <summary>The node that <see cref="Outcome"/> speaks of.</summary>
    public ZoneNode Node { get; }

    /// <summary>
    /// How many labels of the name stand in front of the node's name; for a wildcard, in front of the closest
    /// encloser's.
    /// </summary>
    public int SkippedLabels { get; }
}
