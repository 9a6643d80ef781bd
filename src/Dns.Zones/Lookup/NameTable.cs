using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// From a name to the reference of its node: a flat table with open addressing and linear probing.
/// </summary>
/// <remarks>
/// A slot is 32 bits of the name's hash and a 32-bit reference; the top bits of the hash choose the first slot, so that
/// the table grows by one walk over its slots, without looking at a name. A slot whose hash fits is verified against the
/// node's own name. At most 5 of 8 slots are taken: a hit costs one cache line here and one at the node. An immutable
/// zone's table is read by all threads; only its builder writes.
/// </remarks>
internal sealed class NameTable
{
    private const int MinimumSlots = 4;
    private const int MaxReserved = 1 << 28;

    private ulong[] _slots;
    private int _shift;

    internal NameTable(int expectedNames)
    {
        Resize(SlotsFor(expectedNames));
    }

    /// <summary>Number of names.</summary>
    internal int Count { get; private set; }

    /// <summary>Octets of memory the table takes.</summary>
    internal long MemoryBytes => (long)_slots.Length * sizeof(ulong);

    /// <summary>The reference of the node with this lower-case name; 0 if there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint Find(byte[][] segments, ulong hash, ReadOnlySpan<byte> name)
    {
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

    /// <summary>Adds a name that is not there yet.</summary>
    internal void Add(ulong hash, uint reference)
    {
        if (IsFull) Resize(_slots.Length * 2);
        Insert((ulong)(uint)(hash >> 32) << 32 | reference);
        Count++;
    }

    /// <summary>Whether the next name makes the table grow.</summary>
    internal bool IsFull => (long)(Count + 1) * 8 > (long)_slots.Length * 5;

    /// <summary>Grows at once for this many names.</summary>
    internal void Reserve(long names)
    {
        int size = SlotsFor((int)Math.Min(names, MaxReserved));
        if (size > _slots.Length) Resize(size);
    }

    /// <summary>Lets a name lead to another node.</summary>
    internal void Replace(ulong hash, uint reference, uint replacement)
    {
        ulong wanted = hash >> 32 << 32 | reference;
        int i = (int)((uint)(hash >> 32) >> _shift);
        while (_slots[i & (_slots.Length - 1)] != wanted) i++;
        _slots[i & (_slots.Length - 1)] = hash >> 32 << 32 | replacement;
    }

    /// <summary>Asks the processor for the first slot of a hash: of use when many names are looked up together.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Prefetch(ulong hash) => ZoneMemory.Prefetch(ref _slots[(uint)(hash >> 32) >> _shift]);

    /// <summary>The reference that most likely belongs to a hash: that of the first slot or of its neighbour; else 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint FindCandidate(ulong hash)
    {
        uint tag = (uint)(hash >> 32);
        int i = (int)(tag >> _shift);
        ulong slot = _slots[i];
        if ((uint)(slot >> 32) != tag) slot = _slots[(i + 1) & (_slots.Length - 1)];
        return (uint)(slot >> 32) == tag ? (uint)slot : 0;
    }

    [MemberNotNull(nameof(_slots))]
    private void Resize(int size)
    {
        ulong[]? old = _slots;
        _slots = new ulong[size];
        _shift = 32 - BitOperations.Log2((uint)size);
        if (old is null) return;
        foreach (ulong slot in old)
            if (slot != 0) Insert(slot);
    }

    private void Insert(ulong slot)
    {
        int i = (int)((uint)(slot >> 32) >> _shift);
        while (_slots[i & (_slots.Length - 1)] != 0) i++;
        _slots[i & (_slots.Length - 1)] = slot;
    }

    private static int SlotsFor(int names) =>
        Math.Max(MinimumSlots, (int)BitOperations.RoundUpToPowerOf2((uint)((long)names * 8 / 5 + 1)));
}
