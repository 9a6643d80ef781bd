using System.Numerics;

namespace Dns.Zones.Lookup;

/// <summary>Maps a name to the reference of its node: a hash table with open addressing and linear probing.</summary>
/// <remarks>
/// A slot has 32 bits of the name's hash and a 32-bit reference; the top bits of the hash select the first slot, so
/// that the table grows by one walk over its slots, without reading names. A slot with an equal hash is verified
/// against the node's name. At most 5 of 8 slots are used: a hit costs one cache line here and one at the node.
/// <para>
/// A builder fills one flat array. Edited versions of the zone share it, and copy changed slots in pages of 64: see
/// the other part of this class. Only its creator writes a table, before the zone is published.
/// </para>
/// </remarks>
internal sealed partial class NameTable
{
    private const int MinimumSlots = 4;
    private const int MaxReserved = 1 << 28;

    private ulong[] _slots;
    private int _shift;

    internal NameTable(int expectedNames)
    {
        Resize(SlotsFor(expectedNames));
    }

    internal int Count { get; private set; }

    /// <summary>Number of slots, a power of two.</summary>
    internal int SlotCount => 1 << (32 - _shift);

    internal long MemoryBytes => (long)_slots.Length * sizeof(ulong) + (long)_pageCount * PageSlots * sizeof(ulong);

    /// <summary>The reference of the node with this lower-case name; 0 if it does not exist.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint Find(byte[][] segments, ulong hash, ReadOnlySpan<byte> name)
    {
        if (_regions is not null) return FindInPages(segments, hash, name);
        ulong[] slots = _slots;
        uint tag = (uint)(hash >> 32);
        int mask = slots.Length - 1;
        int i = (int)(tag >> _shift);
        while (true)
        {
            // i is masked by the length of the table, a power of two.
            ulong slot = Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(slots), i & mask);
            if (slot == 0) return 0;
            if ((uint)(slot >> 32) == tag)
            {
                ReadOnlySpan<byte> node = ZoneMemory.Node(segments, (uint)slot);
                if (node[0] == name.Length && node.Slice(ZoneMemory.NodeHeaderOctets, name.Length).SequenceEqual(name))
                    return (uint)slot;
            }
            i++;
        }
    }

    /// <summary>The reference of a link's node; 0 if it does not exist.</summary>
    /// <param name="link">The link, not 0.</param>
    /// <param name="name">The name of the link's host, in any letter case.</param>
    internal uint FindLinked(byte[][] segments, uint link, ReadOnlySpan<byte> name)
    {
        // The bit in which a link differs from the hash is not among those that select the slot.
        for (int i = (int)(link >> _shift); ; i++)
        {
            ulong slot = Slot(i);
            if (slot == 0) return 0;
            if (((uint)(slot >> 32) | HostLink.SetBit) != link) continue;
            ReadOnlySpan<byte> node = ZoneMemory.Node(segments, (uint)slot);
            if (node[0] == name.Length
                && WireName.EqualsIgnoreCase(node.Slice(ZoneMemory.NodeHeaderOctets, name.Length), name))
                    return (uint)slot;
        }
    }

    /// <summary>Adds a new name.</summary>
    internal void Add(ulong hash, uint reference)
    {
        if (IsFull) Resize(SlotCount * 2);
        Insert((ulong)(uint)(hash >> 32) << 32 | reference);
        Count++;
    }

    /// <summary>Whether the next name makes the table grow.</summary>
    internal bool IsFull => (long)(Count + 1) * 8 > (long)SlotCount * 5;

    internal void Reserve(long names)
    {
        int size = SlotsFor((int)Math.Min(names, MaxReserved));
        if (size > SlotCount) Resize(size);
    }

    internal void Replace(ulong hash, uint reference, uint replacement) =>
        Own(SlotOf(hash, reference)) = hash >> 32 << 32 | replacement;

    /// <summary>Prefetches the first slot of a hash, for lookups of several names.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Prefetch(ulong hash) => ZoneMemory.Prefetch(ref SlotAt((int)((uint)(hash >> 32) >> _shift)));

    /// <summary>The probable reference of a hash: that of the first slot or of its neighbour; else 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint FindCandidate(ulong hash)
    {
        uint tag = (uint)(hash >> 32);
        int i = (int)(tag >> _shift);
        ulong slot = SlotAt(i);
        if ((uint)(slot >> 32) != tag) slot = Slot(i + 1);
        return (uint)(slot >> 32) == tag ? (uint)slot : 0;
    }

    /// <summary>Whether the name with this hash has this node.</summary>
    internal bool LeadsTo(ulong hash, uint reference)
    {
        ulong wanted = hash >> 32 << 32 | reference;
        for (int i = (int)((uint)(hash >> 32) >> _shift); ; i++)
        {
            ulong slot = Slot(i);
            if (slot == wanted) return true;
            if (slot == 0) return false;
        }
    }

    /// <summary>The reference in a slot, from 0 to <see cref="SlotCount"/> - 1; 0 if it is free.</summary>
    internal uint ReferenceIn(int slot) => (uint)Slot(slot);

    /// <summary>A slot; indices wrap around.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong Slot(int i) => SlotAt(i & (SlotCount - 1));

    /// <summary>A slot for reading.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref ulong SlotAt(int i)
    {
        if (_regions is not null) return ref SlotInPages(i);
        return ref _slots[i];
    }

    private int SlotOf(ulong hash, uint reference)
    {
        ulong wanted = hash >> 32 << 32 | reference;
        int i = (int)((uint)(hash >> 32) >> _shift);
        while (Slot(i) != wanted) i++;
        return i & (SlotCount - 1);
    }

    [MemberNotNull(nameof(_slots))]
    private void Resize(int size)
    {
        ulong[]? old = _slots is null ? null : Flattened();
        _slots = new ulong[size];
        _regions = null;
        _pageCount = 0;
        _shift = 32 - BitOperations.Log2((uint)size);
        if (old is null) return;
        foreach (ulong slot in old)
            if (slot != 0) Insert(slot);
    }

    private void Insert(ulong slot)
    {
        int i = (int)((uint)(slot >> 32) >> _shift);
        while (Slot(i) != 0) i++;
        Own(i & (SlotCount - 1)) = slot;
    }

    private static int SlotsFor(int names) =>
        Math.Max(MinimumSlots, (int)BitOperations.RoundUpToPowerOf2((uint)((long)names * 8 / 5 + 1)));
}
