namespace Dns.Forwarding.Cache;

/// <summary>
/// One shard of a cache: an index of slots over two rings of entries. Readers are lock-free; writers take the shard's
/// lock for one entry and those it evicts.
/// </summary>
/// <remarks>
/// <para>Writer, to store: (1) write the entry, (2) store the slot with release. To reuse its octets: (3) empty the
/// slot, (4) store barrier in <see cref="EntryRing.TryAppend"/>, (5) write the next entry, (6) as (2). Reader: (a) load
/// the slot with acquire, (b) copy, (c) load barrier, (d) load the slot again.</para>
/// <para>(2) and (a): a reader that sees the slot sees the whole entry. (4) and (c): a reader that copied an octet of
/// (5) sees (3) at (d), and looks again. A release in (3) alone would not do: it orders what stands before it, and
/// ARM64 may let octets of (5) be seen first. So a slot that is unchanged at (d) means that nothing but that entry was
/// copied. The slot could be the same again only if the ring went round once between (a) and (d), and put an entry of
/// the same tag at the same position, found by the same slot.</para>
/// <para>An entry is not changed while a slot leads to it, but for the aligned four bytes of
/// <see cref="EntryHeader.Generation"/>: a reader sees the old or the new value, and both are true. What it copied
/// before (d) may be any octets: every length is checked.</para>
/// </remarks>
internal sealed partial class CacheShard
{
    // At most a few million slot changes a second: two within a copy are rare, four count as a miss.
    private const int MaxAttempts = 4;

    private readonly ulong[] _slots;
    private readonly byte[]?[] _segments;
    private readonly int _segmentBytes;
    private readonly int _segmentShift;

    /// <summary>Copies an entry's records with remaining TTLs, if it is still usable.</summary>
    /// <param name="now">Time in units of <see cref="CacheClock"/>.</param>
    /// <param name="staleTtl">The TTL of the records of an expired entry, in seconds; 0 = copy fresh ones only.</param>
    /// <param name="destination">Room for the records; if they do not fit, none are copied.</param>
    /// <returns>False if there is no entry.</returns>
    public bool TryRead(scoped in EntryKey key, uint now, uint staleTtl, Span<byte> destination, out CacheRead read)
    {
        ulong tag = CacheSlot.InUse | CacheSlot.Tag(key.Hash);
        for (int attempt = 0; attempt < MaxAttempts; attempt++)
        {
            bool isTorn = false;
            int i = Home(key.Hash);
            for (int left = _slots.Length; left > 0; left--)
            {
                ulong slot = Volatile.Read(ref _slots[i]);
                if (slot == 0) break;
                if ((slot & (CacheSlot.InUse | CacheSlot.TagMask)) == tag)
                {
                    bool isFound = TryReadEntry(in key, EntryAt((uint)slot), now, staleTtl, destination, out read);
                    // The copy is valid only if the slot has not changed meanwhile.
                    Volatile.ReadBarrier();
                    isTorn = ((Volatile.Read(ref _slots[i]) ^ slot) & CacheSlot.EntryMask) != 0;
                    if (isTorn) break;
                    if (isFound)
                    {
                        read.Slot = slot;
                        read.SlotIndex = i;
                        return true;
                    }
                }
                if (++i == _slots.Length) i = 0;
            }
            if (!isTorn) break;
        }
        read = default;
        return false;
    }

    /// <summary>Counts a hit for eviction; lost on a concurrent change of the slot, which does no harm.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountHit(in CacheRead read)
    {
        if ((read.Slot & CacheSlot.HitsMask) != CacheSlot.HitsMask)
            Interlocked.CompareExchange(ref _slots[read.SlotIndex], read.Slot + CacheSlot.Hit, read.Slot);
    }

    /// <summary>Marks an entry as being refreshed; true for one of several concurrent calls.</summary>
    public bool TryMarkRefresh(in CacheRead read)
    {
        ulong slot = Volatile.Read(ref _slots[read.SlotIndex]);
        return ((slot ^ read.Slot) & CacheSlot.EntryMask) == 0 && (slot & CacheSlot.RefreshStarted) == 0
            && Interlocked.CompareExchange(ref _slots[read.SlotIndex], slot | CacheSlot.RefreshStarted, slot) == slot;
    }

    private static bool TryReadEntry(
        scoped in EntryKey key, ReadOnlySpan<byte> entry, uint now, uint staleTtl, Span<byte> destination,
        out CacheRead read)
    {
        read = default;
        if (entry.Length < EntryHeader.Bytes) return false;
        read.Header = MemoryMarshal.Read<EntryHeader>(entry);
        ref readonly EntryHeader header = ref read.Header;
        if (!key.Matches(in header, entry) || header.Length > entry.Length) return false;
        uint age = CacheClock.Age(now, header.StoredAt);
        read.IsFresh = age < header.LifetimeSeconds * CacheClock.UnitsPerSecond;
        if (!read.IsFresh && staleTtl == 0) return true;
        read.IsCopied = header.RecordOctets <= destination.Length;
        if (!read.IsCopied) return true;
        destination = destination[..header.RecordOctets];
        entry.Slice(header.RecordOffset, header.RecordOctets).CopyTo(destination);
        uint seconds = age / CacheClock.UnitsPerSecond;
        ReadOnlySpan<byte> offsets = entry.Slice(header.TtlOffset, header.TtlCount * sizeof(ushort));
        for (; offsets.Length >= sizeof(ushort); offsets = offsets[sizeof(ushort)..])
        {
            int offset = MemoryMarshal.Read<ushort>(offsets);
            if (offset > destination.Length - sizeof(uint)) break;
            Span<byte> ttl = destination.Slice(offset, sizeof(uint));
            BinaryPrimitives.WriteUInt32BigEndian(ttl,
                read.IsFresh ? BinaryPrimitives.ReadUInt32BigEndian(ttl) - seconds : staleTtl);
        }
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Home(ulong hash) => (int)((ulong)(uint)hash * (uint)_slots.Length >> 32);

    /// <summary>The octets from a position to the end of its segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReadOnlySpan<byte> EntryAt(uint position)
    {
        long offset = (long)position * 8;
        return _segments[(int)(offset >> _segmentShift)].AsSpan((int)offset & (_segmentBytes - 1));
    }
}
