using System.Runtime.InteropServices;

namespace Dns.Forwarding;

/// <content>
/// Who goes when room is needed: S3-FIFO. What is asked for the first time waits in a small queue, and reaches the main queue only
/// if it is asked for again there or comes back soon; a flood of names that are asked once passes through the small queue and
/// touches nothing else. In the main queue, what was asked for since it was last at the tail goes round again.
/// </content>
internal sealed partial class CacheShard
{
    // Hits in the small queue that make an entry worth a place in the main one.
    private const int PromotingHits = 1;

    // An entry that is stored lets others go round this often at most; after that, hits do not help.
    private const int MaxRounds = 64;

    // Tails that are looked at to find room for what leaves the small queue.
    private const int MaxLooks = 8;

    /// <summary>Lets entries go until one of this length has room.</summary>
    private void MakeRoom(EntryRing ring, int bytes, uint now)
    {
        // One segment is kept free ahead, in the main ring two: what goes round needs room before it leaves its place.
        long wanted = bytes + (ring == _main ? 2L : 1L) * _segmentBytes;
        int rounds = 0;
        while (ring.FreeBytes < wanted && !ring.IsEmpty)
        {
            if (ring == _small) EvictSmall(now);
            else EvictMain(now, ref rounds);
        }
    }

    /// <summary>Lets one entry go where there are too many for the index.</summary>
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
        if (!_small.TryPeek(out uint place, out ReadOnlySpan<byte> entry)) return;
        EntryHeader header = MemoryMarshal.Read<EntryHeader>(entry);
        int i = Find(header.Hash, place);
        if (i >= 0)
        {
            bool isOver = IsForgotten(in header, now), isWanted = CacheSlot.Hits(_slots[i]) >= PromotingHits, moves = false;
            if (!isOver)
            {
                if (isWanted) MakeRoom(_main, entry.Length, now);
                moves = (isWanted || HasRoomForCold(entry.Length, now)) && TryMove(in header, place, entry, hits: 0);
            }
            if (!moves)
            {
                if (isOver) Expired++;
                else Evicted++;
                if (!isOver) _ghosts.Add(header.Hash);
                RemoveAt(Find(header.Hash, place));
            }
        }
        _small.Drop(entry.Length);
    }

    private void EvictMain(uint now, ref int rounds)
    {
        if (!_main.TryPeek(out uint place, out ReadOnlySpan<byte> entry)) return;
        EntryHeader header = MemoryMarshal.Read<EntryHeader>(entry);
        int i = Find(header.Hash, place);
        if (i >= 0)
        {
            bool isOver = IsForgotten(in header, now);
            ulong hits = _slots[i] & CacheSlot.HitsMask;
            bool goesRound = !isOver && hits != 0 && rounds++ < MaxRounds && TryMove(in header, place, entry, hits - CacheSlot.Hit);
            if (!goesRound)
            {
                if (isOver) Expired++;
                else Evicted++;
                RemoveAt(i);
            }
        }
        _main.Drop(entry.Length);
    }

    /// <summary>Copies an entry to the head of the main queue and makes its slot lead there.</summary>
    private bool TryMove(in EntryHeader header, uint place, ReadOnlySpan<byte> entry, ulong hits)
    {
        if (!_main.TryAppend(entry.Length, out uint target, out Span<byte> space)) return false;
        entry.CopyTo(space);
        int i = Find(header.Hash, place);
        ulong asked = _slots[i] & CacheSlot.RefreshAsked;
        Volatile.Write(ref _slots[i], CacheSlot.Make(header.Hash, target) | hits | asked);
        return true;
    }

    /// <summary>
    /// Whether the main queue can take what nobody asked for again: because it has never been full, or what is at its tail is
    /// of less use still.
    /// </summary>
    private bool HasRoomForCold(int bytes, uint now)
    {
        bool isRoomy = false;
        for (int looks = 0; looks < MaxLooks; looks++)
        {
            isRoomy = _entries < _maxEntries && _main.FreeBytes >= bytes + 2L * _segmentBytes;
            if (isRoomy) break;
            if (!_main.TryPeek(out uint place, out ReadOnlySpan<byte> entry)) break;
            EntryHeader header = MemoryMarshal.Read<EntryHeader>(entry);
            int i = Find(header.Hash, place);
            if (i >= 0)
            {
                bool isExpired = CacheClock.Age(now, header.StoredAt) >= header.LifetimeSeconds * CacheClock.UnitsPerSecond;
                if (!isExpired || CacheSlot.Hits(_slots[i]) > 0) return false;
                Expired++;
                RemoveAt(i);
            }
            _main.Drop(entry.Length);
        }
        return isRoomy;
    }

    /// <summary>Whether an entry is of no use any more, not even as a stale answer.</summary>
    public bool IsForgotten(in EntryHeader header, uint now)
    {
        bool isFailure = (header.Traits & EntryTraits.Failure) != 0;
        long age = CacheClock.Age(now, header.StoredAt), lifetime = (long)header.LifetimeSeconds * CacheClock.UnitsPerSecond;
        // What failed is remembered a while longer: failing again right away makes the next pause longer.
        return age >= lifetime + (isFailure ? FailureMemoryUnits : _staleUnits);
    }

    private const long FailureMemoryUnits = 300 * CacheClock.UnitsPerSecond;
}
