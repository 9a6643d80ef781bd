using System.Buffers;

namespace Dns.Zones.Building;

/// <summary>
/// The node memory of a builder. The first segment grows in pooled buffers, so that a small zone leaves no garbage;
/// later segments are never copied.
/// </summary>
internal sealed class NodeArena : NodeMemory
{
    private const int FirstSegmentOctets = 4096;

    internal NodeArena()
    {
        Segments = [ArrayPool<byte>.Shared.Rent(FirstSegmentOctets)];
        Used = ZoneMemory.Unit;
    }

    /// <summary>Octets used in the last segment.</summary>
    internal int LastSegmentOctets => Used;

    /// <summary>Octets used in all segments.</summary>
    internal long UsedOctets => (long)Current * ZoneMemory.SegmentOctets + Used;

    private protected override void MakeRoom(int octets)
    {
        byte[] last = Segments[Current];
        if (Current == 0 && Used + octets <= ZoneMemory.SegmentOctets)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(
                Math.Min(ZoneMemory.SegmentOctets, Math.Max(last.Length * 2, Used + octets)));
            last.AsSpan(0, Used).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(last);
            Segments = [larger];
            return;
        }
        if (Segments.Length == ZoneMemory.MaxSegments)
            throw new InvalidOperationException("a zone holds at most 16 GiB");
        EndCurrent();
        int size = Math.Max(ZoneMemory.SegmentOctets, ZoneMemory.Unit + octets);
        Segments = [.. Segments, GC.AllocateUninitializedArray<byte>(size)];
        Current++;
        Used = ZoneMemory.Unit;
    }

    /// <summary>The final segments, the last one cut to its length. Ends the use of the arena.</summary>
    internal byte[][] Seal()
    {
        byte[] last = Segments[Current];
        byte[] exact = GC.AllocateUninitializedArray<byte>(Used);
        last.AsSpan(0, Used).CopyTo(exact);
        if (Current == 0) ArrayPool<byte>.Shared.Return(last);
        return [.. Segments[..Current], exact];
    }

    /// <summary>Discards the nodes. Ends the use of the arena.</summary>
    internal void Discard() => ArrayPool<byte>.Shared.Return(Segments[0]);
}
