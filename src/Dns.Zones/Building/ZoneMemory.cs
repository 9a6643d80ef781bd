using System.Diagnostics;
using System.Runtime.Intrinsics.X86;

namespace Dns.Zones.Building;

/// <summary>
/// The memory layout of a zone: nodes in sequence in a few large segments, each with its name, its RRsets and their
/// RDATA; and the references that address them.
/// </summary>
/// <remarks>
/// A reference counts in units of 4 octets over all segments: 14 bits of segment and 18 bits of offset in 1 MiB, 16 GiB
/// in total; a longer node has a segment of its own. Reference 0 is no node. Integers inside a node are in the
/// machine's byte order; RDATA is as on the wire. Versions share segments: referenced data never changes.
/// <code>
/// node    octet  0      name length, 1 to 255; 0 if a later node of the name replaces it
///                1      flags (NodeFlags)
///                2..4   number of names directly below, at most 2^24-1; not kept for the apex
///                5..7   length of the whole node in units of 4 octets
///                8      name, lower case; then, if it has upper-case letters, one bit for each octet
/// RRset   octet  0..1   type
///                2..5   TTL in seconds; the top bit says that it is a list
///                6      one record: 2 octets RDATA length, RDATA
/// list    octet  6..7   number of records; a single one is in a list if its type names a host
///                8..11  length of what follows in octets; the top bit says that it ends in links
///                12     records: 2 octets RDATA length, RDATA; then for each record of a type that names a host
///                       in this zone the link of that name (HostLink), or 0
/// </code>
/// </remarks>
internal static class ZoneMemory
{
    internal const int UnitShift = 2;
    internal const int Unit = 1 << UnitShift;
    internal const int SegmentShift = 20;
    internal const int SegmentOctets = 1 << SegmentShift;
    internal const int MaxSegments = 1 << (32 + UnitShift - SegmentShift);
    internal const int NodeHeaderOctets = 8;

    /// <summary>Offset of the record in an RRset of one record.</summary>
    internal const int SingleRecordAt = 6;

    /// <summary>Offset of the records in a list.</summary>
    internal const int ListRecordsAt = 12;

    /// <summary>Least octets of an RRset: its header and an RDATA length.</summary>
    internal const int MinRRsetOctets = SingleRecordAt + sizeof(ushort);

    private const int CacheLineOctets = 64;

    /// <summary>Maximum counted children of a node; the count saturates.</summary>
    internal const int MaxChildren = (1 << 24) - 1;

    private const int LengthShift = 8;

    /// <summary>In an RRset's TTL: it is a list.</summary>
    internal const int ListBit = int.MinValue;

    /// <summary>In a list's length: the records are followed by one link each.</summary>
    internal const int LinkedBit = int.MinValue;

    private const uint OffsetMask = (1u << (SegmentShift - UnitShift)) - 1;

    /// <summary>The reference of an offset in a segment; the offset is a multiple of 4.</summary>
    internal static uint Reference(int segment, int offset) =>
        (uint)segment << (SegmentShift - UnitShift) | (uint)offset >> UnitShift;

    /// <summary>The octets of the node at <paramref name="reference"/>.</summary>
    /// <remarks>
    /// References come from a zone's own index and a node is never changed once a version of the zone has it, so the
    /// header is inside its segment; the length was written after its memory was allocated.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Span<byte> Node(byte[][] segments, uint reference)
    {
        byte[] segment = segments[reference >> (SegmentShift - UnitShift)];
        ref byte node = ref Unsafe.Add(
            ref MemoryMarshal.GetArrayDataReference(segment), (nint)(reference & OffsetMask) << UnitShift);
        uint units = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref node, 4)) >> LengthShift;
        return MemoryMarshal.CreateSpan(ref node, (int)units << UnitShift);
    }

    internal static int NodeOctets(ReadOnlySpan<byte> node) =>
        (int)(MemoryMarshal.Read<uint>(node[4..]) >> LengthShift) << UnitShift;

    /// <summary>Writes the header of a node without children.</summary>
    internal static void WriteHeader(Span<byte> node, int nameLength, NodeFlags flags)
    {
        node[0] = (byte)nameLength;
        node[1] = (byte)flags;
        MemoryMarshal.Write(node[2..], (ushort)0);
        MemoryMarshal.Write(node[4..], (uint)node.Length >> UnitShift << LengthShift);
    }

    /// <summary>Whether another node has replaced this one: it has no name then.</summary>
    internal static bool IsDead(ReadOnlySpan<byte> node) => node[0] == 0;

    /// <summary>Marks a node as replaced. Its name and records cannot be read any more.</summary>
    internal static void MarkDead(Span<byte> node) => node[0] = 0;

    /// <summary>Number of names directly below a node; <see cref="MaxChildren"/> means that many or more.</summary>
    internal static int Children(ReadOnlySpan<byte> node) =>
        MemoryMarshal.Read<ushort>(node[2..])
            | (int)(MemoryMarshal.Read<uint>(node[4..]) & ((1 << LengthShift) - 1)) << 16;

    /// <summary>Increments or decrements the children of a node. A saturated count stays.</summary>
    internal static void AddChild(Span<byte> node, int change)
    {
        int count = Children(node);
        if (count < MaxChildren) WriteChildren(node, count + change);
    }

    internal static void WriteChildren(Span<byte> node, int count)
    {
        MemoryMarshal.Write(node[2..], (ushort)count);
        uint length = MemoryMarshal.Read<uint>(node[4..]) >> LengthShift << LengthShift;
        MemoryMarshal.Write(node[4..], length | (uint)count >> 16);
    }

    /// <summary>Prefetches the first two cache lines of a node.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Prefetch(byte[][] segments, uint reference)
    {
        ref byte node = ref Unsafe.Add(
            ref MemoryMarshal.GetArrayDataReference(segments[Segment(reference)]), Offset(reference));
        Prefetch(ref node);
        Prefetch(ref Unsafe.Add(ref node, CacheLineOctets));
    }

    /// <summary>Prefetches a cache line. No memory is accessed in the sense of the memory model.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe void Prefetch<T>(ref T address)
    {
        // A hint for any address: if the garbage collector has moved the array, it only wastes a cache line.
        if (Sse.IsSupported) Sse.Prefetch0(Unsafe.AsPointer(ref address));
    }

    /// <summary>Whether records of a type have links: they name a host whose addresses an answer may add.</summary>
    internal static bool IsLinked(RRType type) =>
        type is RRType.NS or RRType.MX or RRType.SRV or RRType.SVCB or RRType.HTTPS or RRType.NAPTR;

    /// <summary>The length of the RRset at the start of <paramref name="rrsets"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int RRsetOctets(ReadOnlySpan<byte> rrsets) =>
        RRsetField<int>(rrsets, 2) >= 0
            ? MinRRsetOctets + RRsetField<ushort>(rrsets, SingleRecordAt)
            : ListRecordsAt + (RRsetField<int>(rrsets, 8) & ~LinkedBit);

    internal static void WriteSingleHeader(Span<byte> rrset, RRType type, uint ttl)
    {
        Debug.Assert(ttl <= int.MaxValue);
        MemoryMarshal.Write(rrset, (ushort)type);
        MemoryMarshal.Write(rrset[2..], ttl);
    }

    internal static void WriteListHeader(Span<byte> rrset, RRType type, uint ttl, int count, int octets, bool isLinked)
    {
        MemoryMarshal.Write(rrset, (ushort)type);
        MemoryMarshal.Write(rrset[2..], (int)ttl | ListBit);
        MemoryMarshal.Write(rrset[6..], (ushort)count);
        MemoryMarshal.Write(rrset[8..], octets | (isLinked ? LinkedBit : 0));
    }

    /// <summary>A field in the header of an RRset that is not empty.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static T RRsetField<T>(ReadOnlySpan<byte> rrset, int offset)
        where T : unmanaged
    {
        // In range: every RRset has its header. A positive answer reads five fields; checks take six instructions each.
        Debug.Assert(offset + Unsafe.SizeOf<T>() <= Math.Min(rrset.Length, ListRecordsAt));
        return Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref MemoryMarshal.GetReference(rrset), offset));
    }

    internal static int Offset(uint reference) => (int)(reference & OffsetMask) << UnitShift;

    internal static int Segment(uint reference) => (int)(reference >> (SegmentShift - UnitShift));

    internal static int RoundUp(int octets) => (octets + Unit - 1) & ~(Unit - 1);
}
