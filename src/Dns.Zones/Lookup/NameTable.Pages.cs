namespace Dns.Zones.Lookup;

/// <content>
/// Versions that share slots. A version's own pages are below three levels of directories; elsewhere the slots are
/// those of the shared flat array. One changed name copies a page of 512 octets, two directories of 256 and the root,
/// which has 256 octets for a million names and 2 KB for ten million.
/// </content>
internal sealed partial class NameTable
{
    // Copied pages and directories soon become garbage: 1 KB for each name; with 256 slots below two levels 4 KB.
    private const int PageShift = 6;
    private const int PageSlots = 1 << PageShift;
    private const int DirectoryShift = 5;
    private const int DirectoryEntries = 1 << DirectoryShift;
    private const int RegionShift = 2 * DirectoryShift;

    // A table this small is copied as a whole: the directories would cost as much.
    private const int SmallSlots = 4 * PageSlots;

    // Directories without pages, of all tables; never written.
    private static readonly ulong[]?[] NoPages = new ulong[DirectoryEntries][];
    private static readonly ulong[]?[][] NoGroups = Directory(NoPages);

    private ulong[]?[][][]? _regions;
    private int _pageCount;

    // The table that this one was copied from; shared parts must not be written. Null for a builder.
    private NameTable? _origin;

    // TakeOver has visited the pages before this one.
    private int _takenOver;

    private NameTable(NameTable origin)
    {
        _origin = origin;
        (_slots, _regions, _pageCount) = (origin._slots, origin._regions, origin._pageCount);
        (_shift, _takenOver, Count) = (origin._shift, origin._takenOver, origin.Count);
    }

    /// <summary>A copy that may be changed without changing this one, until <see cref="EndEdit"/>.</summary>
    internal NameTable BeginEdit() => new(this);

    /// <summary>Ends the changes. The table does not reference its origin any more.</summary>
    internal void EndEdit()
    {
        // Once half of the flat array is superseded, each edit copies one more page, until the array can be freed.
        if (_pageCount > SlotCount >> PageShift >> 1) TakeOver();
        _origin = null;
    }

    /// <summary>Removes a name, and moves up later slots that were displaced by it.</summary>
    internal void Remove(ulong hash, uint reference)
    {
        int mask = SlotCount - 1, hole = SlotOf(hash, reference);
        for (int i = hole + 1; Slot(i) is var slot && slot != 0; i++)
        {
            int home = (int)((uint)(slot >> 32) >> _shift);
            if (((i - home) & mask) < ((i - hole) & mask)) continue;
            Own(hole & mask) = slot;
            hole = i;
        }
        Own(hole & mask) = 0;
        Count--;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private uint FindInPages(byte[][] segments, ulong hash, ReadOnlySpan<byte> name)
    {
        uint tag = (uint)(hash >> 32);
        for (int first = (int)(tag >> _shift); ; first = (first | (PageSlots - 1)) + 1)
        {
            // The remaining slots of the page, own or flat, bound the loop.
            ref ulong page = ref SlotInPages(first & (SlotCount - PageSlots));
            for (int i = first & (PageSlots - 1); i < PageSlots; i++)
            {
                ulong slot = Unsafe.Add(ref page, i);
                if (slot == 0) return 0;
                if ((uint)(slot >> 32) != tag) continue;
                ReadOnlySpan<byte> node = ZoneMemory.Node(segments, (uint)slot);
                if (node[0] == name.Length && node.Slice(ZoneMemory.NodeHeaderOctets, name.Length).SequenceEqual(name))
                    return (uint)slot;
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref ulong SlotInPages(int i)
    {
        if (OwnPage(i >> PageShift) is { } own) return ref own[i & (PageSlots - 1)];
        return ref _slots[i];
    }

    /// <summary>The version's own page with a number; null if its slots are in the flat array.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong[]? OwnPage(int number)
    {
        ulong[]?[] group = _regions![number >> RegionShift][(number >> DirectoryShift) & (DirectoryEntries - 1)];
        return group[number & (DirectoryEntries - 1)];
    }

    /// <summary>A slot for writing, in memory exclusive to this table.</summary>
    private ref ulong Own(int i)
    {
        if (_origin is null) return ref _slots[i];
        if (_regions is null)
        {
            if (!ReferenceEquals(_slots, _origin._slots)) return ref _slots[i];
            if (_slots.Length <= SmallSlots)
            {
                _slots = [.. _slots];
                return ref _slots[i];
            }
        }
        return ref WritablePage(i >> PageShift)[i & (PageSlots - 1)];
    }

    private ulong[] WritablePage(int number)
    {
        int top = number >> RegionShift, middle = (number >> DirectoryShift) & (DirectoryEntries - 1);
        int low = number & (DirectoryEntries - 1);
        ulong[]?[][][]? before = _origin!._regions;
        if (_regions is null) _regions = Directory(NoGroups, Math.Max(1, SlotCount >> PageShift >> RegionShift));
        else if (ReferenceEquals(_regions, before)) _regions = [.. _regions];
        ulong[]?[][] oldRegion = before is null ? NoGroups : before[top];
        if (ReferenceEquals(_regions[top], oldRegion)) _regions[top] = [.. oldRegion];
        ulong[]?[] oldGroup = oldRegion[middle];
        ref ulong[]?[] group = ref _regions[top][middle];
        if (ReferenceEquals(group, oldGroup)) group = [.. oldGroup];
        ulong[]? page = group[low];
        if (page is not null && !ReferenceEquals(page, oldGroup[low])) return page;
        if (page is null) _pageCount++;
        ulong[] copy = GC.AllocateUninitializedArray<ulong>(PageSlots);
        (page is null ? _slots.AsSpan(number << PageShift, PageSlots) : page).CopyTo(copy);
        return group[low] = copy;
    }

    private static T[] Directory<T>(T entry, int entries = DirectoryEntries)
    {
        T[] directory = new T[entries];
        Array.Fill(directory, entry);
        return directory;
    }

    private void TakeOver()
    {
        int pages = SlotCount >> PageShift;
        if (_slots.Length == 0) return;
        while (_takenOver < pages && OwnPage(_takenOver) is not null) _takenOver++;
        if (_takenOver < pages) WritablePage(_takenOver++);
        if (_pageCount == pages) _slots = [];
    }

    /// <summary>All slots in one array, read-only.</summary>
    private ulong[] Flattened()
    {
        if (_regions is null) return _slots;
        ulong[] all = new ulong[SlotCount];
        for (int page = 0; page < all.Length; page += PageSlots)
            System.Runtime.InteropServices.MemoryMarshal.CreateReadOnlySpan(ref SlotInPages(page), PageSlots)
                .CopyTo(all.AsSpan(page));
        return all;
    }
}
