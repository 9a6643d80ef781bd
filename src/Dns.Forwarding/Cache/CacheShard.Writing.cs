namespace Dns.Forwarding.Cache;

/// <content>Writers, under the shard's lock.</content>
internal sealed partial class CacheShard
{
    // Above this load, a search for a missing key would probe too many slots.
    private const double MaxLoad = 0.85;

    private readonly Lock _gate = new();
    private readonly EntryRing _small, _main;
    private readonly GhostTable _ghosts;
    private readonly int _maxEntries;
    private volatile uint _staleUnits;
    private readonly long _fixedBytes;
    private int _entries, _special;

    public CacheShard(CacheLayout layout)
    {
        _slots = new ulong[layout.Slots];
        _maxEntries = (int)(layout.Slots * MaxLoad);
        _segments = new byte[layout.SmallSegments + layout.MainSegments][];
        _segmentBytes = layout.SegmentBytes;
        _segmentShift = System.Numerics.BitOperations.Log2((uint)layout.SegmentBytes);
        _small = new EntryRing(_segments, 0, layout.SmallSegments, layout.SegmentBytes);
        _main = new EntryRing(_segments, layout.SmallSegments, layout.MainSegments, layout.SegmentBytes);
        _ghosts = new GhostTable(layout.Ghosts);
        _fixedBytes = layout.FixedBytes;
    }

    /// <summary>How long expired entries stay usable as stale, in units of <see cref="CacheClock"/>.</summary>
    public uint StaleUnits
    {
        set => _staleUnits = value;
    }

    public long Stored { get; private set; }

    /// <summary>Entries evicted before they expired.</summary>
    public long Evicted { get; private set; }

    /// <summary>Entries removed after they expired.</summary>
    public long Expired { get; private set; }

    public int Entries => Volatile.Read(ref _entries);

    /// <summary>NXDOMAIN and failure entries now: at 0 their lookups are skipped.</summary>
    public int Special => Volatile.Read(ref _special);

    public long Bytes
    {
        get
        {
            lock (_gate) return _fixedBytes +
                (long)(_small.SegmentCount + _main.SegmentCount) * (_segmentBytes + CacheLayout.ArrayBytes);
        }
    }

    /// <summary>Stores an entry, replacing the one with its key.</summary>
    /// <param name="header">All but hash, key and lengths.</param>
    /// <param name="over">The position of the only entry that may be replaced; null = any.</param>
    /// <returns>False if it is longer than a segment, or another entry has the key by now.</returns>
    public bool TryStore(
        scoped in EntryKey key, EntryHeader header, ReadOnlySpan<ushort> ttlOffsets,
        ReadOnlySpan<byte> records, uint now, uint? over = null)
    {
        header.Hash = key.Hash;
        header.Type = key.Type;
        header.View = key.View;
        header.Flags = key.Flags;
        header.NameOctets = (byte)key.Name.Length;
        header.Traits |= key.Traits;
        header.RecordOctets = (ushort)records.Length;
        int bytes = header.PaddedLength;
        if (bytes > _segmentBytes) return false;
        lock (_gate)
        {
            int old = Find(in key);
            bool isKnown = old >= 0;
            if (over is { } wanted && (!isKnown || (uint)_slots[old] != wanted)) return false;
            ulong hits = isKnown ? _slots[old] & CacheSlot.HitsMask : 0;
            bool toMain = isKnown ? _main.Holds((uint)_slots[old]) : _ghosts.Remove(key.Hash);
            if (!isKnown)
                while (_entries >= _maxEntries && EvictOne(now)) { }
            EntryRing ring = toMain ? _main : _small;
            MakeRoom(ring, bytes, now);
            if (!ring.TryAppend(bytes, out uint position, out Span<byte> space)) return false;
            Write(space, in header, in key, ttlOffsets, records);
            PointSlot(in key, position, hits, in header);
            Stored++;
        }
        return true;
    }

    /// <summary>Removes the entry with this key; false if there is none.</summary>
    public bool Remove(scoped in EntryKey key)
    {
        lock (_gate)
        {
            int i = Find(in key);
            if (i < 0) return false;
            RemoveAt(i);
            return true;
        }
    }

    /// <summary>Copies a whole entry; returns its length in bytes, 0 if there is none.</summary>
    /// <param name="destination">Room for the longest entry.</param>
    public int CopyWhole(scoped in EntryKey key, Span<byte> destination, out uint position)
    {
        lock (_gate)
        {
            int i = Find(in key);
            position = i < 0 ? 0 : (uint)_slots[i];
            if (i < 0) return 0;
            ReadOnlySpan<byte> entry = EntryAt(position);
            int length = MemoryMarshal.Read<EntryHeader>(entry).Length;
            entry[..length].CopyTo(destination);
            return length;
        }
    }

    // Sets the generation of an entry, after its names were found to belong to their zone. A concurrent reader gets the
    // old or the new number; both are correct.
    public void Confirm(scoped in EntryKey key, uint position, uint generation)
    {
        lock (_gate)
        {
            int i = Find(in key);
            if (i < 0 || (uint)_slots[i] != position) return;
            Volatile.Write(ref MemoryMarshal.AsRef<EntryHeader>(WritableEntryAt(position)).Generation, generation);
        }
    }

    /// <summary>Removes an entry, if it is still at that position.</summary>
    public void Remove(scoped in EntryKey key, uint position)
    {
        lock (_gate)
        {
            int i = Find(in key);
            if (i >= 0 && (uint)_slots[i] == position) RemoveAt(i);
        }
    }

    /// <summary>Clears the mark of a started refresh.</summary>
    public void ForgetRefresh(scoped in EntryKey key)
    {
        lock (_gate)
        {
            int i = Find(in key);
            if (i >= 0) Interlocked.And(ref _slots[i], ~CacheSlot.RefreshStarted);
        }
    }

    /// <summary>Removes all entries whose name matches a predicate; returns their number.</summary>
    public int RemoveWhere(EntryTest test)
    {
        lock (_gate)
        {
            int removed = 0;
            for (int i = 0; i < _slots.Length; i++)
            {
                // An entry that moves into the gap is tested too.
                while (_slots[i] != 0 && IsPicked(_slots[i], test))
                {
                    RemoveAt(i);
                    removed++;
                }
            }
            if (_entries > 0) return removed;
            _small.Clear();
            _main.Clear();
            return removed;
        }
    }

    /// <summary>Visits all entries. The visitor must not keep the spans, nor call this shard.</summary>
    public void VisitAll(EntryVisitor visitor)
    {
        lock (_gate)
        {
            foreach (ulong slot in _slots)
            {
                if (slot == 0) continue;
                ReadOnlySpan<byte> entry = EntryAt((uint)slot);
                EntryHeader header = MemoryMarshal.Read<EntryHeader>(entry);
                visitor(in header, entry[..header.Length]);
            }
        }
    }

    private bool IsPicked(ulong slot, EntryTest test)
    {
        ReadOnlySpan<byte> entry = EntryAt((uint)slot);
        return test(entry.Slice(EntryHeader.Bytes, MemoryMarshal.Read<EntryHeader>(entry).NameOctets));
    }

    private static void Write(
        Span<byte> space, in EntryHeader header, scoped in EntryKey key, ReadOnlySpan<ushort> ttlOffsets,
        ReadOnlySpan<byte> records)
    {
        MemoryMarshal.Write(space, in header);
        key.Name.CopyTo(space[EntryHeader.Bytes..]);
        MemoryMarshal.AsBytes(ttlOffsets).CopyTo(space[header.TtlOffset..]);
        records.CopyTo(space[header.RecordOffset..]);
    }

    /// <summary>Points a slot to a written entry: its own slot, or an empty one.</summary>
    private void PointSlot(scoped in EntryKey key, uint position, ulong hits, in EntryHeader header)
    {
        ulong slot = CacheSlot.Make(key.Hash, position) | hits;
        int i = Find(in key);
        if (i < 0)
        {
            i = Home(key.Hash);
            while (_slots[i] != 0) i = Next(i);
            _entries++;
            if (IsSpecial(in header)) _special++;
        }
        Volatile.Write(ref _slots[i], slot);
    }

    private int Find(scoped in EntryKey key)
    {
        ulong tag = CacheSlot.InUse | CacheSlot.Tag(key.Hash);
        for (int i = Home(key.Hash); _slots[i] != 0; i = Next(i))
        {
            if ((_slots[i] & (CacheSlot.InUse | CacheSlot.TagMask)) != tag) continue;
            ReadOnlySpan<byte> entry = EntryAt((uint)_slots[i]);
            EntryHeader header = MemoryMarshal.Read<EntryHeader>(entry);
            if (key.Matches(in header, entry)) return i;
        }
        return -1;
    }

    /// <summary>The slot of a position; -1 if there is none.</summary>
    private int Find(ulong hash, uint position)
    {
        for (int i = Home(hash); _slots[i] != 0; i = Next(i))
            if ((uint)_slots[i] == position) return i;
        return -1;
    }

    /// <summary>Empties a slot and closes the gap, so that a search can end at the first empty slot.</summary>
    private void RemoveAt(int gap)
    {
        EntryHeader header = MemoryMarshal.Read<EntryHeader>(EntryAt((uint)_slots[gap]));
        if (IsSpecial(in header)) _special--;
        _entries--;
        for (int i = Next(gap); _slots[i] != 0; i = Next(i))
        {
            int home = Home(MemoryMarshal.Read<ulong>(EntryAt((uint)_slots[i])));
            // Stays if its home slot lies behind the gap in probe order.
            bool stays = gap <= i ? gap < home && home <= i : gap < home || home <= i;
            if (stays) continue;
            Volatile.Write(ref _slots[gap], _slots[i]);
            gap = i;
        }
        Volatile.Write(ref _slots[gap], 0);
    }

    private Span<byte> WritableEntryAt(uint position)
    {
        long offset = (long)position * 8;
        return _segments[(int)(offset >> _segmentShift)].AsSpan((int)offset & (_segmentBytes - 1));
    }

    private int Next(int i) => i + 1 == _slots.Length ? 0 : i + 1;

    private static bool IsSpecial(in EntryHeader header) => (header.Traits & EntryTraits.Kind) != 0;
}

/// <summary>A predicate on the lower-case name of an entry.</summary>
internal delegate bool EntryTest(ReadOnlySpan<byte> name);

internal delegate void EntryVisitor(in EntryHeader header, ReadOnlySpan<byte> entry);
