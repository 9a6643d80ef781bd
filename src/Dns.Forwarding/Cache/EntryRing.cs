using System.Runtime.InteropServices;

namespace Dns.Forwarding;

/// <summary>
/// A queue of entries in a ring of segments: the oldest leave at the tail, later ones come in at the head. No free lists, no
/// gaps but at the ends of segments, and nothing is ever moved in place. The writer's; readers only see segments.
/// </summary>
/// <param name="segments">The shard's segments, made when they are first needed and never given back.</param>
/// <param name="first">The first of this ring's segments.</param>
/// <param name="count">How many it has; 4 or more.</param>
/// <param name="segmentBytes">The size of one: the longest entry.</param>
internal sealed class EntryRing(byte[]?[] segments, int first, int count, int segmentBytes)
{
    private readonly int[] _ends = new int[count];

    // Positions that only grow; modulo the size of the ring they are places.
    private long _head, _tail;

    /// <summary>Bytes that could be written before the tail is in the way.</summary>
    public long FreeBytes => (long)count * segmentBytes - (_head - _tail);

    /// <summary>Whether there is no entry.</summary>
    public bool IsEmpty => _head == _tail;

    /// <summary>Segments made so far.</summary>
    public int SegmentCount { get; private set; }

    /// <summary>Whether a place, in units of eight bytes, is in this ring.</summary>
    public bool Holds(uint place) => (uint)((long)place * 8 / segmentBytes - first) < (uint)count;

    /// <summary>Makes room for an entry at the head.</summary>
    /// <param name="bytes">Its length, a multiple of eight and not above the size of a segment.</param>
    /// <param name="place">Where it is, in units of eight bytes from the start of the shard's first segment.</param>
    /// <param name="space">The room.</param>
    /// <returns>False if the tail is in the way.</returns>
    public bool TryAppend(int bytes, out uint place, out Span<byte> space)
    {
        long head = _head;
        int offset = (int)(head % segmentBytes);
        if (offset + bytes > segmentBytes)
        {
            head += segmentBytes - offset;
            offset = 0;
        }
        place = 0;
        space = default;
        // The tail's segment is left alone as a whole: where it ends has to stay known until the tail has left it.
        if (head / segmentBytes >= _tail / segmentBytes + count) return false;
        int segment = (int)(head / segmentBytes % count);
        _head = head + bytes;
        _ends[segment] = offset + bytes;
        ref byte[]? octets = ref segments[first + segment];
        if (octets is null)
        {
            octets = GC.AllocateUninitializedArray<byte>(segmentBytes);
            SegmentCount++;
        }
        place = (uint)(((long)(first + segment) * segmentBytes + offset) / 8);
        space = octets.AsSpan(offset, bytes);
        // The slot that led here was emptied by a store before: no octet written from here on may be seen ahead of it.
        Volatile.WriteBarrier();
        return true;
    }

    /// <summary>The oldest entry.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryPeek(out uint place, out ReadOnlySpan<byte> entry)
    {
        place = 0;
        entry = default;
        if (IsEmpty) return false;
        int segment = (int)(_tail / segmentBytes % count), offset = (int)(_tail % segmentBytes);
        if (offset > 0 && offset == _ends[segment])
        {
            _tail += segmentBytes - offset;
            segment = (segment + 1) % count;
            offset = 0;
        }
        Span<byte> octets = segments[first + segment].AsSpan(offset);
        place = (uint)(((long)(first + segment) * segmentBytes + offset) / 8);
        entry = octets[..(MemoryMarshal.Read<EntryHeader>(octets).PaddedLength)];
        return true;
    }

    /// <summary>Lets the oldest entry go, which was just peeked at; nobody may be able to find it any more.</summary>
    public void Drop(int bytes) => _tail += bytes;

    /// <summary>Lets all go.</summary>
    public void Clear() => _tail = _head;
}
