namespace Dns.Answering.Counting;

/// <summary>
/// Counts of one thread's answers by zone: one cache line for each slot. Pages of slots are allocated at first use;
/// counting itself allocates nothing and takes no lock.
/// </summary>
internal sealed class ZoneCounts(ZoneCounterSlots slots)
{
    /// <summary>Counters of a slot: <see cref="ZoneAnswers.Rcodes"/>, other RCODEs, and no reply.</summary>
    internal const int Columns = 8;

    internal const int OtherCodes = 6, Unanswered = 7;

    private const int PageBits = 6, PageSlots = 1 << PageBits;

    private readonly long[]?[] _pages = new long[]?[(slots.Count + PageSlots - 1) >> PageBits];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Count(ZoneSlot? zoneSlot, bool isRelayed, int rcode) =>
        Add(SlotOf(zoneSlot, isRelayed), Math.Min(rcode, OtherCodes));

    internal void CountUnanswered(ZoneSlot? zoneSlot, bool isRelayed) => Add(SlotOf(zoneSlot, isRelayed), Unanswered);

    internal long Read(int slot, int column) =>
        Volatile.Read(ref _pages[slot >> PageBits]) is { } page ? Volatile.Read(ref page[At(slot, column)]) : 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Add(int slot, int column)
    {
        long[] page = _pages[slot >> PageBits] ?? AddPage(slot >> PageBits);
        page[At(slot, column)]++;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int SlotOf(ZoneSlot? zoneSlot, bool isRelayed)
    {
        if (isRelayed) return ZoneCounterSlots.Forwarded;
        if (zoneSlot is null) return ZoneCounterSlots.None;
        int slot = zoneSlot.CounterSlot;
        return slot != 0 ? slot : slots.Claim(zoneSlot);
    }

    private static int At(int slot, int column) => (slot & PageSlots - 1) * Columns + column;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long[] AddPage(int page)
    {
        long[] made = new long[PageSlots * Columns];
        return Interlocked.CompareExchange(ref _pages[page], made, null) ?? made;
    }
}
