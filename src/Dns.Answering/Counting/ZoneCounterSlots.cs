namespace Dns.Answering.Counting;

/// <summary>
/// Assigns counter slots to zones at their first query; zones beyond the maximum share one slot. A zone keeps its slot
/// as long as it is served. Lock-free.
/// </summary>
internal sealed class ZoneCounterSlots(int most)
{
    /// <summary>The slot of names in no zone.</summary>
    internal const int None = 0;

    /// <summary>The slot of forwarded names.</summary>
    internal const int Forwarded = 1;

    /// <summary>The shared slot of zones without one of their own.</summary>
    internal const int Others = 2;

    /// <summary>The first slot that a single zone owns.</summary>
    internal const int First = 3;

    private readonly ZoneSlot?[] _owners = new ZoneSlot?[First + most];
    private int _free = most;
    private uint _next = uint.MaxValue;

    internal int Count => _owners.Length;

    internal ZoneSlot? OwnerOf(int slot) => Volatile.Read(ref _owners[slot]);

    internal int Claim(ZoneSlot zoneSlot)
    {
        int slot = TryReserve() ? Occupy(zoneSlot) : Others;
        if (zoneSlot.TrySetCounterSlot(slot, 0)) return slot;
        // Another thread was first.
        if (slot != Others) Empty(slot);
        return zoneSlot.CounterSlot is > 0 and int given ? given : Others;
    }

    /// <summary>Releases the slot of a zone that is no longer served.</summary>
    internal void Release(int slot)
    {
        if (OwnerOf(slot) is not { } zoneSlot) return;
        zoneSlot.TrySetCounterSlot(0, slot);
        Empty(slot);
    }

    private bool TryReserve()
    {
        for (int free = Volatile.Read(ref _free); free > 0; free = Volatile.Read(ref _free))
            if (Interlocked.CompareExchange(ref _free, free - 1, free) == free) return true;
        return false;
    }

    /// <summary>Takes a free slot; the reservation guarantees that one exists.</summary>
    private int Occupy(ZoneSlot zoneSlot)
    {
        while (true)
        {
            int slot = First + (int)(Interlocked.Increment(ref _next) % (uint)(_owners.Length - First));
            if (Interlocked.CompareExchange(ref _owners[slot], zoneSlot, null) is null) return slot;
        }
    }

    private void Empty(int slot)
    {
        Volatile.Write(ref _owners[slot], null);
        Interlocked.Increment(ref _free);
    }
}
