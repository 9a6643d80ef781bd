namespace Dns.Zones.Denial;

/// <summary>
/// The nodes of a zone whose NSEC or NSEC3 records prove that a name or a type does not exist: distinct, in the order
/// of discovery. Valid for its version of the zone.
/// </summary>
public struct DenialProof
{
    /// <summary>Maximum nodes: closest encloser, next closer name and wildcard of NSEC3 (RFC 5155 §7.2.2).</summary>
    public const int MaxNodes = 3;

    [InlineArray(MaxNodes)]
    private struct References
    {
        private uint _first;
    }

    private References _references;

    /// <summary>Number of nodes, 0 to <see cref="MaxNodes"/>; 0 if the zone proves nothing.</summary>
    public int Count { get; private set; }

    /// <summary>Names hashed for it: with NSEC3 at most 10, also for the deepest name.</summary>
    public int Hashes { get; internal set; }

    /// <summary>A node.</summary>
    /// <param name="zone">The version that the proof is of.</param>
    /// <param name="index">Which one, from 0.</param>
    public readonly ZoneNode Node(Zone zone, int index) => new(ZoneMemory.Node(zone.Segments, _references[index]));

    /// <summary>Whether another proof of the same version contains a node of this one.</summary>
    /// <param name="index">Which node of this one, from 0.</param>
    public readonly bool IsIn(scoped ref readonly DenialProof other, int index) => other.Contains(_references[index]);

    /// <summary>Adds a node, unless it is 0 or a duplicate.</summary>
    internal void Add(uint reference)
    {
        if (reference != 0 && !Contains(reference)) _references[Count++] = reference;
    }

    private readonly bool Contains(uint reference)
    {
        for (int i = 0; i < Count; i++)
            if (_references[i] == reference) return true;
        return false;
    }
}
