namespace Dns.Forwarding.Cache;

/// <summary>
/// A FIFO queue of entries in a ring of segments. No free lists, no gaps except at the ends of segments, and entries
/// never move in place. Used by the writer; readers only see segments.
/// </summary>
/// <param name="segments">The shard's segments, allocated on demand and kept.</param>
/// <param name="first">The index of this ring's first segment.</param>
/// <param name="count">The number of segments; 4 or more.</param>
/// <param name="segmentBytes">The size of a segment: the longest entry.</param>
internal sealed class EntryRing(byte[]?[] segments, int first, int count, int segmentBytes)
{
    private readonly int[] _ends = new int[count];

    // Monotonic positions; modulo the size of the ring.
    private long _head, _tail;

    /// <summary>Bytes that can be appended before the tail is reached.</summary>
    public long FreeBytes => (long)count * segmentBytes - (_head - _tail);

    public bool IsEmpty => _head == _tail;

    /// <summary>The number of allocated segments.</summary>
    public int SegmentCount { get; private set; }

    /// <summary>Whether a position, in units of eight bytes, is in this ring.</summary>
    public bool Holds(uint position) => (uint)((long)position * 8 / segmentBytes - first) < (uint)count;

    /// <summary>Reserves an entry at the head; false if the tail is reached.</summary>
    /// <param name="bytes">Its length, a multiple of eight and at most a segment.</param>
    /// <param name="position">Its position, in units of eight bytes from the shard's first segment.</param>
    public bool TryAppend(int bytes, out uint position, out Span<byte> space)
    {
        long head = _head;
        int offset = (int)(head % segmentBytes);
        if (offset + bytes > segmentBytes)
        {
            head += segmentBytes - offset;
            offset = 0;
        }
        position = 0;
        space = default;
        // Never enters the tail's segment: its end mark is needed until the tail has left it.
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
        position = (uint)(((long)(first + segment) * segmentBytes + offset) / 8);
        space = octets.AsSpan(offset, bytes);
        // The old entry's slot was emptied before: that store must be visible before any octet written from here on.
        Volatile.WriteBarrier();
        return true;
    }

    /// <summary>Reads the oldest entry; false if the ring is empty.</summary>
    public bool TryPeek(out uint position, out ReadOnlySpan<byte> entry)
    {
        position = 0;
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
        position = (uint)(((long)(first + segment) * segmentBytes + offset) / 8);
        entry = octets[..(MemoryMarshal.Read<EntryHeader>(octets).PaddedLength)];
        return true;
    }

    /// <summary>Removes the entry that was just peeked; it must not be in the index any more.</summary>
    public void Drop(int bytes) => _tail += bytes;

    public void Clear() => _tail = _head;
}
