namespace Dns.Zones.Lookup;

/// <summary>The relation of a name to a zone's data (RFC 1034 §4.3.2 step 3, RFC 4592 §3.3, RFC 6672 §3.2).</summary>
public enum LookupOutcome : byte
{
    /// <summary>The name exists, possibly without data.</summary>
    Found,

    /// <summary>The name does not exist but matches a wildcard, the node.</summary>
    Wildcard,

    /// <summary>The name is at or below a zone cut, the node.</summary>
    Delegation,

    /// <summary>The name is below a DNAME, owned by the node.</summary>
    Redirection,

    /// <summary>The name does not exist; the node is its closest encloser.</summary>
    NameError,
}

/// <summary>The result of a lookup.</summary>
/// <remarks>Borrows the zone's memory.</remarks>
public readonly ref struct LookupResult
{
    internal LookupResult(LookupOutcome outcome, ZoneNode node, int skippedLabels)
    {
        Outcome = outcome;
        Node = node;
        SkippedLabels = skippedLabels;
    }

    /// <summary>The relation of the name to the data.</summary>
    public LookupOutcome Outcome { get; }

    /// <summary>The node of <see cref="Outcome"/>.</summary>
    public ZoneNode Node { get; }

    /// <summary>How many labels of the name precede the node's name; for a wildcard, the closest encloser.</summary>
    public int SkippedLabels { get; }
}
