using System.Buffers;
using System.Runtime.InteropServices;

namespace Dns.Zones;

/// <summary>Where a builder puts nodes, one behind the other. Buffers come from the shared pool until the zone is done.</summary>
/// <param name="expect">From the octets used so far to what it will be in the end; null if nobody knows.</param>
internal sealed class NodeArena(Func<long, long>? expect = null)
{
    private const int FirstSegmentOctets = 4096;

    // The pool keeps what it is given: larger buffers would stay with the process after one large zone.
    private const int LargestPooledOctets = 1 << 20;

    private readonly List<byte[]> _segments = [ArrayPool<byte>.Shared.Rent(FirstSegmentOctets)];
    private int _used = ZoneMemory.Unit;

    /// <summary>The segments so far. Nodes may move to other arrays, but keep their references, with every allocation.</summary>
    internal byte[][] Segments { get; private set; } = [];

    /// <summary>Octets used in the last segment.</summary>
    internal int LastSegmentOctets => _used;

    /// <summary>Octets used in all segments.</summary>
    internal long UsedOctets => (long)(_segments.Count - 1) * ZoneMemory.SegmentOctets + _used;

    /// <summary>Makes room for a node of <paramref name="octets"/> (a multiple of 4, at most 60 MiB), not cleared.</summary>
    internal uint Allocate(int octets, out Span<byte> node)
    {
        if (_used + octets > _segments[^1].Length) Grow(octets);
        uint reference = ZoneMemory.Reference(_segments.Count - 1, _used);
        node = _segments[^1].AsSpan(_used, octets);
        _used += octets;
        if (Segments.Length != _segments.Count || Segments[^1] != _segments[^1]) Segments = [.. _segments];
        return reference;
    }

    private void Grow(int octets)
    {
        byte[] last = _segments[^1];
        if (_used + octets <= ZoneMemory.SegmentOctets)
        {
            int size = (int)Math.Min(ZoneMemory.SegmentOctets, Math.Max((long)last.Length * 2, _used + octets));
            if (size > LargestPooledOctets) size = Expected(size);
            byte[] larger = size <= LargestPooledOctets
                ? ArrayPool<byte>.Shared.Rent(size)
                : GC.AllocateUninitializedArray<byte>(size);
            last.AsSpan(0, _used).CopyTo(larger);
            _segments[^1] = larger;
            GiveBack(last);
            return;
        }
        if (_segments.Count == ZoneMemory.MaxSegments) throw new InvalidOperationException("a zone holds at most 16 GiB");
        // A node's length of 0 says that the segment ends here.
        last.AsSpan(_used, Math.Min(ZoneMemory.NodeHeaderOctets, last.Length - _used)).Clear();
        _segments.Add(GC.AllocateUninitializedArray<byte>(ZoneMemory.SegmentOctets));
        _used = ZoneMemory.Unit;
    }

    /// <summary>The size that the last segment is expected to need, but not less than <paramref name="atLeast"/>.</summary>
    private int Expected(int atLeast)
    {
        long before = (long)(_segments.Count - 1) * ZoneMemory.SegmentOctets;
        return (int)Math.Clamp((expect?.Invoke(UsedOctets) ?? 0) - before, atLeast, ZoneMemory.SegmentOctets);
    }

    /// <summary>The final segments, the last one cut to its length or little more. The arena must not be used any more.</summary>
    internal byte[][] Seal()
    {
        byte[] last = _segments[^1];
        // What was expected well is not copied: its end has never been touched, so it takes no memory.
        if (last.Length > LargestPooledOctets && last.Length - _used < _used >> 3) return [.. _segments];
        byte[] exact = GC.AllocateUninitializedArray<byte>(_used);
        last.AsSpan(0, _used).CopyTo(exact);
        _segments[^1] = exact;
        GiveBack(last);
        return [.. _segments];
    }

    /// <summary>Returns all buffers; the arena must not be used any more.</summary>
    internal void Discard()
    {
        foreach (byte[] segment in _segments) GiveBack(segment);
        _segments.Clear();
    }

    private static void GiveBack(byte[] segment)
    {
        if (segment.Length <= LargestPooledOctets) ArrayPool<byte>.Shared.Return(segment);
    }
}
