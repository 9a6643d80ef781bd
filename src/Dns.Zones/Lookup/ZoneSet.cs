using System.Numerics;

namespace Dns.Zones.Lookup;

/// <summary>
/// All zones of a server: finds the zone with the longest match of a query name. Immutable; replaced only when zones
/// are added or removed, not when their content changes, and shares all unchanged pages.
/// </summary>
/// <remarks><code>
/// hash of a name   [ directory, 1 to 20 bits | ...                | place in the page ]
///                          |                                               |
/// directory        [ page ][ page ][ page ] ...                            |
/// page                         [ hash, slot ][ hash, slot ][ - ] ...  &lt;----+  open addressing, linear probing
/// </code>
/// A full page is split, or the directory doubled (extendible hashing), so that a change copies the directory and a
/// page, however many zones there are: about 40 KB at a million. Directory entries of a shared page are adjacent.
/// </remarks>
public sealed partial class ZoneSet
{
    /// <summary>A slot and the hash of its name. The name itself is verified by the lookup.</summary>
    private struct Entry
    {
        internal ulong Hash;
        internal ZoneSlot? Slot;
    }

    private const int ManyLabels = 63;

    private static long _snapshots;

    // A power of two of entries, of which at least one is empty.
    private readonly Entry[][] _pages;

    // The bits of a hash after these select its entry in the page.
    private readonly int _shift;

    // One bit for each label count of a zone's name, the last for all from 63: other suffixes are not looked up.
    private readonly ulong _labelCounts;

    // Number of zones with each label count, the last for all from 63.
    private readonly int[] _zonesOfLabels;

    private ZoneSet(Edit edit)
    {
        (_pages, _shift, _zonesOfLabels, Count) = (edit.Pages, edit.Shift, edit.ZonesOfLabels, edit.Count);
        for (int labels = 0; labels < _zonesOfLabels.Length; labels++)
            if (_zonesOfLabels[labels] > 0) _labelCounts |= 1UL << labels;
        Slots = new SlotList(this);
    }

    /// <summary>A number that is unique among all sets of the process; above 0.</summary>
    public long Snapshot { get; } = Interlocked.Increment(ref _snapshots);

    /// <summary>The empty set.</summary>
    public static ZoneSet Empty { get; } = Create([]);

    /// <summary>Number of zones.</summary>
    public int Count { get; }

    /// <summary>All zones, unordered.</summary>
    public IReadOnlyCollection<ZoneSlot> Slots { get; }

    /// <summary>Creates a set. The slots may be in other sets; they are not changed.</summary>
    /// <exception cref="ArgumentException">Two slots have the same name.</exception>
    public static ZoneSet Create(IEnumerable<ZoneSlot> slots)
    {
        ZoneSlot[] all = [.. slots];
        Edit edit = new(all.Length);
        foreach (ZoneSlot slot in all) edit.Add(slot);
        return new ZoneSet(edit);
    }

    /// <summary>Derives a set with added and removed zones.</summary>
    /// <param name="added">New slots, possibly with names of removed ones.</param>
    /// <exception cref="ArgumentException">A removed slot is not in the set, or a name would occur twice.</exception>
    public ZoneSet With(IEnumerable<ZoneSlot> removed, IEnumerable<ZoneSlot> added)
    {
        Edit edit = new(this);
        foreach (ZoneSlot slot in removed) edit.Remove(slot);
        foreach (ZoneSlot slot in added) edit.Add(slot);
        return new ZoneSet(edit);
    }

    /// <summary>Finds the zone with the longest name at or above a suffix of a name; null if there is none.</summary>
    /// <param name="skippedLabels">Labels that the suffix leaves out; above those of the name nothing is found.</param>
    /// <param name="apexSkip">How many labels of the name precede the zone's name.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ZoneSlot? Find(scoped ref readonly LookupName name, int skippedLabels, out int apexSkip)
    {
        int most = name.LabelCount - skippedLabels;
        if ((uint)most >= ManyLabels) return FindSlow(in name, skippedLabels, out apexSkip);
        // Only label counts of existing zones, the largest first.
        for (ulong counts = _labelCounts & (2UL << most) - 1; counts != 0;)
        {
            int labels = BitOperations.Log2(counts);
            apexSkip = name.LabelCount - labels;
            if (FindSuffix(in name, apexSkip) is { } slot) return slot;
            counts ^= 1UL << labels;
        }
        apexSkip = name.LabelCount + 1;
        return null;
    }

    /// <summary>Finds the zone of a name for a range of label counts that share a bit.</summary>
    private ZoneSlot? FindSlow(scoped ref readonly LookupName name, int skippedLabels, out int apexSkip)
    {
        for (apexSkip = skippedLabels; apexSkip <= name.LabelCount; apexSkip++)
            if ((_labelCounts >> Math.Min(name.LabelCount - apexSkip, ManyLabels) & 1) != 0 &&
                FindSuffix(in name, apexSkip) is { } slot)
                return slot;
        return null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ZoneSlot? FindSuffix(scoped ref readonly LookupName name, int apexSkip)
    {
        ulong hash = name.SuffixHash(apexSkip);
        Entry[] page = _pages[(int)(hash >> _shift)];
        for (int i = (int)hash; ; i++)
        {
            ref readonly Entry entry = ref page[i & (page.Length - 1)];
            if (entry.Slot is not { } slot) return null;
            if (entry.Hash == hash && WireName.EqualsIgnoreCase(slot.Name.Octets, name.Suffix(apexSkip))) return slot;
        }
    }

    /// <summary>The zone of exactly this name; null if it does not exist.</summary>
    public ZoneSlot? FindExact(DomainName name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name.Octets);
        return Find(in lookup, 0, out int skip) is { } slot && skip == 0 ? slot : null;
    }

    private sealed class SlotList(ZoneSet set) : IReadOnlyCollection<ZoneSlot>
    {
        public int Count => set.Count;

        public IEnumerator<ZoneSlot> GetEnumerator()
        {
            Entry[]? before = null;
            foreach (Entry[] page in set._pages)
            {
                if (ReferenceEquals(page, before)) continue;
                before = page;
                foreach (Entry entry in page)
                    if (entry.Slot is { } slot) yield return slot;
            }
        }

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
