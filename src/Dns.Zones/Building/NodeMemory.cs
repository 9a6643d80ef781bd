namespace Dns.Zones.Building;

/// <summary>Sequential memory for nodes. The derived class handles a full segment.</summary>
internal abstract class NodeMemory
{
    /// <summary>The segments so far. Each allocation may move nodes to other arrays; references stay valid.</summary>
    internal byte[][] Segments { get; private protected set; } = [];

    /// <summary>The number of the current segment.</summary>
    private protected int Current { get; set; }

    /// <summary>Octets used in that segment.</summary>
    private protected int Used { get; set; }

    /// <summary>Allocates <paramref name="octets"/> (a multiple of 4, up to 60 MiB) for a node, not cleared.</summary>
    internal virtual uint Allocate(int octets, out Span<byte> node)
    {
        if (Used + octets > Segments[Current].Length) MakeRoom(octets);
        uint reference = ZoneMemory.Reference(Current, Used);
        node = Segments[Current].AsSpan(Used, octets);
        Used += octets;
        return reference;
    }

    private protected abstract void MakeRoom(int octets);

    /// <summary>Marks the end of the nodes in the current segment by a length of 0.</summary>
    private protected void EndCurrent()
    {
        byte[] last = Segments[Current];
        last.AsSpan(Used, Math.Min(ZoneMemory.NodeHeaderOctets, last.Length - Used)).Clear();
    }
}
