using System.Runtime.CompilerServices;

namespace Dns.Zones;

/// <content>
/// Versions that share slots. A version's own pages are below two levels of directories; elsewhere the slots are those
/// of the shared flat array. One changed name copies a page of 2 KB, a group of at most 2 KB and the root, which has 2
/// KB for ten million names.
/// </content>
internal sealed partial class NameTable
{
    // Collections copy surviving pages of a changing zone: 512 slots would double that, 128 enlarge the directory.
    private const int PageShift = 8;
    private const int PageSlots = 1 << PageShift;
    private const int GroupShift = 8;
    private const int GroupPages = 1 << GroupShift;

    // A table this small is copied as a whole: the directories would cost as much.
    private const int SmallSlots = 4 * PageSlots;

    private ulong[]?[]?[]? _groups;
    private int _pageCount;

    // The table that this one was copied from; shared parts must not be written. Null for a builder.
    private NameTable? _origin;

    // TakeOver has visited the pages before this one.
    private int _takenOver;

    private NameTable(NameTable origin)
    {
        _origin = origin;
        (_slots, _groups, _pageCount) = (origin._slots, origin._groups, origin._pageCount);
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
        int mask = SlotCount - 1, hole = PlaceOf(hash, reference);
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
        int page = i >> PageShift;
        ulong[]?[]? group = _groups![page >> GroupShift];
        if (group is not null && group[page & (GroupPages - 1)] is { } own) return ref own[i & (PageSlots - 1)];
        return ref _slots[i];
    }

    /// <summary>A slot for writing, in memory exclusive to this table.</summary>
    private ref ulong Own(int i)
    {
        if (_origin is null) return ref _slots[i];
        if (_groups is null)
        {
            if (!ReferenceEquals(_slots, _origin._slots)) return ref _slots[i];
            if (_slots.Length <= SmallSlots)
            {
                _slots = [.. _slots];
                return ref _slots[i];
            }
        }
        return ref OwnPage(i >> PageShift)[i & (PageSlots - 1)];
    }

    private ulong[] OwnPage(int number)
    {
        ulong[]?[]?[]? before = _origin!._groups;
        int top = number >> GroupShift, low = number & (GroupPages - 1);
        if (_groups is null) _groups = new ulong[]?[]?[Math.Max(1, SlotCount >> PageShift >> GroupShift)];
        else if (ReferenceEquals(_groups, before)) _groups = [.. _groups];
        ulong[]?[]? oldGroup = before is not null && before.Length == _groups.Length ? before[top] : null;
        ulong[]?[]? group = _groups[top];
        if (group is null) _groups[top] = group = new ulong[]?[Math.Min(GroupPages, SlotCount >> PageShift)];
        else if (ReferenceEquals(group, oldGroup)) _groups[top] = group = [.. group];
        ulong[]? page = group[low];
        if (page is not null && !ReferenceEquals(page, oldGroup?[low])) return page;
        if (page is null) _pageCount++;
        ulong[] copy = GC.AllocateUninitializedArray<ulong>(PageSlots);
        (page is null ? _slots.AsSpan(number << PageShift, PageSlots) : page).CopyTo(copy);
        return group[low] = copy;
    }

    private void TakeOver()
    {
        int pages = SlotCount >> PageShift;
        if (_slots.Length == 0) return;
        while (_takenOver < pages && _groups![_takenOver >> GroupShift]?[_takenOver & (GroupPages - 1)] is not null) _takenOver++;
        if (_takenOver < pages) OwnPage(_takenOver++);
        if (_pageCount == pages) _slots = [];
    }

    /// <summary>All slots in one array, read-only.</summary>
    private ulong[] Flattened()
    {
        if (_groups is null) return _slots;
        ulong[] all = new ulong[SlotCount];
        for (int page = 0; page < all.Length; page += PageSlots)
            System.Runtime.InteropServices.MemoryMarshal.CreateReadOnlySpan(ref SlotInPages(page), PageSlots).CopyTo(all.AsSpan(page));
        return all;
    }
}
