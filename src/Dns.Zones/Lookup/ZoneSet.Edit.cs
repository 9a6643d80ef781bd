using System.Numerics;

namespace Dns.Zones.Lookup;

/// <content>Derivation of another set.</content>
public sealed partial class ZoneSet
{
    /// <summary>A page of more entries is split; 8 KB.</summary>
    private const int MostEntries = 512;

    /// <summary>Maximum bits of the directory; names whose hashes agree in more share a page that grows.</summary>
    private const int MostBits = 20;

    private const int HashBits = 64;
    private const int LeastEntries = 4;

    /// <summary>A set under construction: it owns the directory and the pages that it has changed.</summary>
    private sealed class Edit
    {
        private static readonly Entry[] NoEntries = new Entry[1];

        // The pages exclusive to this set, and their used entries.
        private readonly Dictionary<Entry[], int> _own = new(ReferenceEqualityComparer.Instance);

        /// <summary>Starts empty, with room for a number of zones.</summary>
        internal Edit(int room)
        {
            int bits = Math.Clamp(BitOperations.Log2((uint)room / (MostEntries / 4) + 1), 1, MostBits);
            Pages = new Entry[1 << bits][];
            Array.Fill(Pages, NoEntries);
            Shift = HashBits - bits;
            ZonesOfLabels = new int[ManyLabels + 1];
        }

        internal Edit(ZoneSet from)
        {
            Pages = [.. from._pages];
            Shift = from._shift;
            ZonesOfLabels = [.. from._zonesOfLabels];
            Count = from.Count;
        }

        internal Entry[][] Pages { get; private set; }

        internal int Shift { get; private set; }

        internal int[] ZonesOfLabels { get; }

        internal int Count { get; private set; }

        internal void Add(ZoneSlot slot)
        {
            ulong hash = NameHash.Compute(slot.Name.Octets);
            Entry[] page = OwnPageOf(hash);
            if (IndexOf(page, hash, slot.Name) >= 0) throw new ArgumentException($"zone {slot.Name} is given twice");
            while (IsFull(page, _own[page] + 1)) page = MakeRoom(page, hash);
            Put(page, new Entry { Hash = hash, Slot = slot });
            _own[page]++;
            Count++;
            ZonesOfLabels[Math.Min(slot.LabelCount, ManyLabels)]++;
        }

        internal void Remove(ZoneSlot slot)
        {
            ulong hash = NameHash.Compute(slot.Name.Octets);
            Entry[] page = OwnPageOf(hash);
            int index = IndexOf(page, hash, slot.Name);
            if (index < 0 || !ReferenceEquals(page[index].Slot, slot))
                throw new ArgumentException($"zone {slot.Name} is not there");
            page[index] = default;
            int left = --_own[page], room = page.Length;
            if (room > LeastEntries && left <= room / 8) room /= 2;
            // An entry displaced by the removed one may have to move forward.
            Replace(page, hash, Copy(page, room), left);
            Count--;
            ZonesOfLabels[Math.Min(slot.LabelCount, ManyLabels)]--;
        }

        private static bool IsFull(Entry[] page, int count) => count > page.Length - Math.Max(page.Length / 4, 1);

        /// <summary>The page of a hash, copied if it is shared.</summary>
        private Entry[] OwnPageOf(ulong hash)
        {
            Entry[] page = Pages[hash >> Shift];
            if (_own.ContainsKey(page)) return page;
            Entry[] copy = [.. page];
            int count = 0;
            foreach (Entry entry in copy)
                if (entry.Slot is not null) count++;
            Replace(page, hash, copy, count);
            return copy;
        }

        /// <summary>Enlarges or splits a page; returns the new page of the hash.</summary>
        private Entry[] MakeRoom(Entry[] page, ulong hash)
        {
            if (page.Length < MostEntries || !TryRange(page, hash, out int first, out int count))
            {
                Entry[] larger = Copy(page, Math.Max(page.Length * 2, LeastEntries));
                Replace(page, hash, larger, _own[page]);
                return larger;
            }
            Entry[] low = new Entry[page.Length], high = new Entry[page.Length];
            int middle = first + count / 2;
            (int ofLow, int ofHigh) = (0, 0);
            foreach (Entry entry in page)
            {
                if (entry.Slot is null) continue;
                bool isHigh = (int)(entry.Hash >> Shift) >= middle;
                Put(isHigh ? high : low, entry);
                if (isHigh) ofHigh++;
                else ofLow++;
            }
            _own.Remove(page);
            (_own[low], _own[high]) = (ofLow, ofHigh);
            Array.Fill(Pages, low, first, count / 2);
            Array.Fill(Pages, high, middle, count / 2);
            return Pages[hash >> Shift];
        }

        /// <summary>The directory entries of a page, at least two: the directory is doubled if there is one.</summary>
        /// <returns>False if it has its maximum size.</returns>
        private bool TryRange(Entry[] page, ulong hash, out int first, out int count)
        {
            Measure(page, hash, out first, out count);
            if (count > 1) return true;
            if (Shift <= HashBits - MostBits) return false;
            Entry[][] doubled = new Entry[Pages.Length * 2][];
            for (int i = 0; i < doubled.Length; i++) doubled[i] = Pages[i / 2];
            Pages = doubled;
            Shift--;
            Measure(page, hash, out first, out count);
            return true;
        }

        private void Measure(Entry[] page, ulong hash, out int first, out int count)
        {
            first = (int)(hash >> Shift);
            while (first > 0 && ReferenceEquals(Pages[first - 1], page)) first--;
            count = 1;
            while (first + count < Pages.Length && ReferenceEquals(Pages[first + count], page)) count++;
        }

        private void Replace(Entry[] page, ulong hash, Entry[] other, int taken)
        {
            // The empty page has many unrelated entries.
            int first = (int)(hash >> Shift), count = 1;
            if (!ReferenceEquals(page, NoEntries)) Measure(page, hash, out first, out count);
            Array.Fill(Pages, other, first, count);
            _own.Remove(page);
            _own[other] = taken;
        }

        private static Entry[] Copy(Entry[] page, int length)
        {
            Entry[] copy = new Entry[length];
            foreach (Entry entry in page)
                if (entry.Slot is not null) Put(copy, entry);
            return copy;
        }

        private static void Put(Entry[] page, Entry entry)
        {
            int i = (int)entry.Hash;
            while (page[i & (page.Length - 1)].Slot is not null) i++;
            page[i & (page.Length - 1)] = entry;
        }

        private static int IndexOf(Entry[] page, ulong hash, DomainName name)
        {
            for (int i = (int)hash; ; i++)
            {
                ref readonly Entry entry = ref page[i & (page.Length - 1)];
                if (entry.Slot is not { } slot) return -1;
                if (entry.Hash == hash && slot.Name.Equals(name)) return i & (page.Length - 1);
            }
        }
    }
}
