using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Runtime.CompilerServices;

namespace Dns.Bench;

/// <summary>
/// From a lower-case name to its node; a struct, so that a measured loop calls it directly.
/// </summary>
internal interface INameIndex
{
    /// <summary>The node's reference; 0 if the name is not there.</summary>
    uint Find(ReadOnlySpan<byte> name);
}

/// <summary>Only the hash, for comparison: what every row below contains.</summary>
internal readonly struct HashOnly : INameIndex
{
    public uint Find(ReadOnlySpan<byte> name) => (uint)NameSample.Hash(name);
}

/// <summary>The production table.</summary>
internal readonly struct IndexedNames : INameIndex
{
    private readonly NameTable _table;
    private readonly byte[][] _segments;

    internal IndexedNames(NameSample sample)
    {
        _segments = sample.Segments;
        // Grown as the builder of a zone grows it, which does not know the number of names either.
        _table = new NameTable(16);
        foreach (uint reference in sample.References) _table.Add(NameSample.Hash(sample.At(reference)), reference);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint Find(ReadOnlySpan<byte> name) => _table.Find(_segments, NameSample.Hash(name), name);

    /// <summary>The same for a name hashed before.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint Find(ReadOnlySpan<byte> name, ulong hash) => _table.Find(_segments, hash, name);

    /// <summary>Asks the processor for the slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void PrefetchSlot(ulong hash) => _table.Prefetch(hash);

    /// <summary>Asks the processor for the node, if the slot is here by now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void PrefetchNode(ulong hash)
    {
        uint reference = _table.FindCandidate(hash);
        if (reference != 0) ZoneMemory.Prefetch(_segments, reference);
    }
}

/// <summary>Dictionary over the hash, the name verified in the node.</summary>
internal readonly struct HashedDictionary(NameSample sample) : INameIndex
{
    private readonly Dictionary<ulong, uint> _index = Fill(sample, new Dictionary<ulong, uint>());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint Find(ReadOnlySpan<byte> name) =>
        _index.TryGetValue(NameSample.Hash(name), out uint reference) && sample.IsAt(reference, name) ? reference : 0;

    internal static T Fill<T>(NameSample sample, T index) where T : IDictionary<ulong, uint>
    {
        foreach (uint reference in sample.References) index[NameSample.Hash(sample.At(reference))] = reference;
        return index;
    }
}

/// <summary>ConcurrentDictionary over the hash, the name verified in the node.</summary>
internal readonly struct HashedConcurrent(NameSample sample) : INameIndex
{
    private readonly ConcurrentDictionary<ulong, uint> _index =
        HashedDictionary.Fill(sample, new ConcurrentDictionary<ulong, uint>());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint Find(ReadOnlySpan<byte> name) =>
        _index.TryGetValue(NameSample.Hash(name), out uint reference) && sample.IsAt(reference, name) ? reference : 0;
}

/// <summary>FrozenDictionary over the hash, the name verified in the node.</summary>
internal readonly struct HashedFrozen(NameSample sample) : INameIndex
{
    private readonly FrozenDictionary<ulong, uint> _index =
        HashedDictionary.Fill(sample, new Dictionary<ulong, uint>()).ToFrozenDictionary();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint Find(ReadOnlySpan<byte> name) =>
        _index.TryGetValue(NameSample.Hash(name), out uint reference) && sample.IsAt(reference, name) ? reference : 0;
}

/// <summary>FrozenDictionary over references, looked up by a span of octets.</summary>
internal readonly struct AlternateFrozen : INameIndex
{
    private readonly FrozenDictionary<NodeKey, uint>.AlternateLookup<ReadOnlySpan<byte>> _index;

    internal AlternateFrozen(NameSample sample)
    {
        Dictionary<NodeKey, uint> index = new(sample.Count, new Comparer(sample));
        foreach (uint reference in sample.References) index[new NodeKey(reference)] = reference;
        _index = index.ToFrozenDictionary(new Comparer(sample)).GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint Find(ReadOnlySpan<byte> name) => _index.TryGetValue(name, out uint reference) ? reference : 0;

    private readonly record struct NodeKey(uint Reference);

    private sealed class Comparer(NameSample sample)
        : IEqualityComparer<NodeKey>, IAlternateEqualityComparer<ReadOnlySpan<byte>, NodeKey>
    {
        public NodeKey Create(ReadOnlySpan<byte> alternate) => throw new NotSupportedException();

        public bool Equals(ReadOnlySpan<byte> alternate, NodeKey other) => sample.IsAt(other.Reference, alternate);

        public bool Equals(NodeKey x, NodeKey y) => x.Reference == y.Reference;

        public int GetHashCode(ReadOnlySpan<byte> alternate) => (int)NameSample.Hash(alternate);

        public int GetHashCode(NodeKey obj) => (int)NameSample.Hash(sample.At(obj.Reference));
    }
}
