namespace Dns.Zones;

/// <summary>Where nodes are put, one behind the other. What happens when a segment is full is for the derived class to say.</summary>
internal abstract class NodeMemory
{
    /// <summary>The segments so far. Nodes may move to other arrays, but keep their references, with every allocation.</summary>
    internal byte[][] Segments { get; private protected set; } = [];

    /// <summary>The number of the segment that is being filled.</summary>
    private protected int Current { get; set; }

    /// <summary>Octets used in that segment.</summary>
    private protected int Used { get; set; }

    /// <summary>Makes room for a node of <paramref name="octets"/> (a multiple of 4, at most 60 MiB), not cleared.</summary>
    internal virtual uint Allocate(int octets, out Span<byte> node)
    {
        if (Used + octets > Segments[Current].Length) MakeRoom(octets);
        uint reference = ZoneMemory.Reference(Current, Used);
        node = Segments[Current].AsSpan(Used, octets);
        Used += octets;
        return reference;
    }

    /// <summary>Sees to it that the current segment has room for a node.</summary>
    private protected abstract void MakeRoom(int octets);

    /// <summary>Says in the current segment that no node follows: a node's length of 0.</summary>
    private protected void EndCurrent()
    {
        byte[] last = Segments[Current];
        last.AsSpan(Used, Math.Min(ZoneMemory.NodeHeaderOctets, last.Length - Used)).Clear();
    }
}
