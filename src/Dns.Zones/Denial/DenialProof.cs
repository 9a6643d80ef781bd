using System.Runtime.CompilerServices;

namespace Dns.Zones;

/// <summary>
/// The nodes of a zone whose NSEC or NSEC3 records prove that a name or a type is not there: none twice, in the order in which they
/// were found. As good as the version of the zone that it is of.
/// </summary>
public struct DenialProof
{
    /// <summary>The most nodes: closest encloser, next closer name and wildcard of NSEC3 (RFC 5155 §7.2.2).</summary>
    public const int MaxNodes = 3;

    [InlineArray(MaxNodes)]
    private struct References
    {
        private uint _first;
    }

    private References _references;

    /// <summary>How many nodes there are, 0 to <see cref="MaxNodes"/>; 0 where the zone proves nothing.</summary>
    public int Count { get; private set; }

    /// <summary>A node.</summary>
    /// <param name="zone">The version that the proof is of.</param>
    /// <param name="index">Which one, from 0.</param>
    public readonly ZoneNode Node(Zone zone, int index) => new(ZoneMemory.Node(zone.Segments, _references[index]));

    /// <summary>Whether another proof of the same version has a node of this one.</summary>
    /// <param name="other">The other.</param>
    /// <param name="index">Which node of this one, from 0.</param>
    public readonly bool IsIn(scoped ref readonly DenialProof other, int index) => other.Contains(_references[index]);

    /// <summary>Adds a node, unless it is 0 or there.</summary>
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
