namespace Dns.Forwarding.Cache;

/// <content>
/// Eviction by S3-FIFO. New entries go to a small queue, and to the main queue only if they are hit there or return
/// soon after eviction; a flood of names queried once passes through the small queue and evicts nothing else. In the
/// main queue, entries hit since they were last at the tail get another round.
/// </content>
internal sealed partial class CacheShard
{
    // Hits in the small queue that promote an entry to the main queue.
    private const int PromotingHits = 1;

    // The maximum number of extra rounds granted for one stored entry; after that, hits do not count.
    private const int MaxRounds = 64;

    // The maximum number of tail entries examined to make room for an entry from the small queue.
    private const int MaxLooks = 8;

    /// <summary>Evicts entries until one of this length fits.</summary>
    private void MakeRoom(EntryRing ring, int bytes, uint now)
    {
        // One segment is kept free ahead, two in the main ring: an entry is copied for another round before its old
        // position is free.
        long wanted = bytes + (ring == _main ? 2L : 1L) * _segmentBytes;
        int rounds = 0;
        while (ring.FreeBytes < wanted && !ring.IsEmpty)
        {
            if (ring == _small) EvictSmall(now);
            else EvictMain(now, ref rounds);
        }
    }

    /// <summary>Evicts one entry when the index is full.</summary>
    private bool EvictOne(uint now)
    {
        int before = _entries;
        int rounds = 0;
        while (_entries >= before)
        {
            if (!_small.IsEmpty) EvictSmall(now);
            else if (!_main.IsEmpty) EvictMain(now, ref rounds);
            else return false;
        }
        return true;
    }

    private void EvictSmall(uint now)
    {
        if (!_small.TryPeek(out uint position, out ReadOnlySpan<byte> entry)) return;
        EntryHeader header = MemoryMarshal.Read<EntryHeader>(entry);
        int i = Find(header.Hash, position);
        if (i >= 0)
        {
            bool isOver = IsForgotten(in header, now), isWanted = CacheSlot.Hits(_slots[i]) >= PromotingHits,
                moves = false;
            if (!isOver)
            {
                if (isWanted) MakeRoom(_main, entry.Length, now);
                moves = (isWanted || HasRoomForCold(entry.Length, now)) && TryMove(in header, position, entry, hits: 0);
            }
            if (!moves)
            {
                if (isOver) Expired++;
                else Evicted++;
                if (!isOver) _ghosts.Add(header.Hash);
                RemoveAt(Find(header.Hash, position));
            }
        }
        _small.Drop(entry.Length);
    }

    private void EvictMain(uint now, ref int rounds)
    {
        if (!_main.TryPeek(out uint position, out ReadOnlySpan<byte> entry)) return;
        EntryHeader header = MemoryMarshal.Read<EntryHeader>(entry);
        int i = Find(header.Hash, position);
        if (i >= 0)
        {
            bool isOver = IsForgotten(in header, now);
            ulong hits = _slots[i] & CacheSlot.HitsMask;
            bool isKept =
                !isOver && hits != 0 && rounds++ < MaxRounds
                && TryMove(in header, position, entry, hits - CacheSlot.Hit);
            if (!isKept)
            {
                if (isOver) Expired++;
                else Evicted++;
                RemoveAt(i);
            }
        }
        _main.Drop(entry.Length);
    }

    /// <summary>Copies an entry to the head of the main queue and updates its slot.</summary>
    private bool TryMove(in EntryHeader header, uint position, ReadOnlySpan<byte> entry, ulong hits)
    {
        if (!_main.TryAppend(entry.Length, out uint target, out Span<byte> space)) return false;
        entry.CopyTo(space);
        int i = Find(header.Hash, position);
        ulong refresh = _slots[i] & CacheSlot.RefreshStarted;
        Volatile.Write(ref _slots[i], CacheSlot.Make(header.Hash, target) | hits | refresh);
        return true;
    }

    // Whether the main queue takes an entry without hits: it has never been full, or its tail is worth less.
    private bool HasRoomForCold(int bytes, uint now)
    {
        bool hasRoom = false;
        for (int looks = 0; looks < MaxLooks; looks++)
        {
            hasRoom = _entries < _maxEntries && _main.FreeBytes >= bytes + 2L * _segmentBytes;
            if (hasRoom) break;
            if (!_main.TryPeek(out uint position, out ReadOnlySpan<byte> entry)) break;
            EntryHeader header = MemoryMarshal.Read<EntryHeader>(entry);
            int i = Find(header.Hash, position);
            if (i >= 0)
            {
                bool isExpired =
                    CacheClock.Age(now, header.StoredAt) >= header.LifetimeSeconds * CacheClock.UnitsPerSecond;
                if (!isExpired || CacheSlot.Hits(_slots[i]) > 0) return false;
                Expired++;
                RemoveAt(i);
            }
            _main.Drop(entry.Length);
        }
        return hasRoom;
    }

    /// <summary>Whether an entry is of no use, not even as a stale answer.</summary>
    public bool IsForgotten(in EntryHeader header, uint now)
    {
        bool isFailure = (header.Traits & EntryTraits.Failure) != 0;
        long age = CacheClock.Age(now, header.StoredAt),
            lifetime = (long)header.LifetimeSeconds * CacheClock.UnitsPerSecond;
        // Failures are kept a while longer, to double the lifetime of the next one.
        return age >= lifetime + (isFailure ? FailureMemoryUnits : _staleUnits);
    }

    private const long FailureMemoryUnits = 300 * CacheClock.UnitsPerSecond;
}
