using System.Runtime.CompilerServices;

namespace Dns.Bench;

/// <summary>
/// Names in the memory of a zone: each in a node of the production layout with one A record. All compared indexes refer
/// to the same nodes and verify the name there.
/// </summary>
internal sealed class NameSample
{
    private const int RecordOctets = 20;
    private readonly byte[][] _segments;

    internal NameSample(int count)
    {
        NodeArena arena = new();
        References = new uint[count];
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        for (int i = 0; i < count; i++)
        {
            NameText.TryParse($"{ZoneText.Label(i)}.{ZoneText.Apex}", name, out int length);
            int octets = ZoneMemory.RoundUp(ZoneMemory.NodeHeaderOctets + length + RecordOctets);
            References[i] = arena.Allocate(octets, out Span<byte> node);
            node.Clear();
            ZoneMemory.WriteHeader(node, length, NodeFlags.None);
            name[..length].CopyTo(node[ZoneMemory.NodeHeaderOctets..]);
        }
        _segments = arena.Seal();
    }

    /// <summary>Where each name's node is.</summary>
    internal uint[] References { get; }

    internal byte[][] Segments => _segments;

    internal int Count => References.Length;

    /// <summary>The lower-case name with this number.</summary>
    internal ReadOnlySpan<byte> this[int number] => At(References[number]);

    /// <summary>The name of a node.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<byte> At(uint reference)
    {
        ReadOnlySpan<byte> node = ZoneMemory.Node(_segments, reference);
        return node.Slice(ZoneMemory.NodeHeaderOctets, node[0]);
    }

    /// <summary>Whether a node has this lower-case name.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool IsAt(uint reference, ReadOnlySpan<byte> name) => At(reference).SequenceEqual(name);

    /// <summary>The hash of a name, as a query's is made: lower-cased, with the hashes of all its suffixes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    [SkipLocalsInit]
    internal static ulong Hash(ReadOnlySpan<byte> name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        return lookup.TryRead(name, 0, name.Length) ? lookup.Hash : 0;
    }
}
