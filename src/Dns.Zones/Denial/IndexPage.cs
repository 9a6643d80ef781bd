namespace Dns.Zones.Denial;

/// <summary>
/// A page of a <see cref="DenialIndex{TKey}"/>: nodes in key order, or the pages below with the first node of each.
/// </summary>
/// <remarks>
/// All keys of a page share its prefix; the next eight octets are stored beside the references as a number, so that a
/// search reads nodes only if these are equal.
/// <code>
/// prefix      common prefix of the keys
/// parts       [ 8 octets ][ 8 octets ][ 8 octets ] ...
/// references  [ node     ][ node     ][ node     ] ...
/// children    [ page     ][ page     ][ page     ] ...   not of a leaf
/// </code>
/// Written by the edit that made it, then immutable.
/// </remarks>
internal sealed class IndexPage
{
    /// <summary>Maximum entries.</summary>
    internal const int Most = 256;

    /// <summary>Entries of a built page; a quarter is free, so that a few new names do not split every page.</summary>
    internal const int Usual = Most - Most / 4;

    // The edit that may write here; null for a builder.
    private readonly object? _edit;

    internal IndexPage(ReadOnlySpan<uint> references, ReadOnlySpan<IndexPage> children = default, object? edit = null)
    {
        _edit = edit;
        Count = references.Length;
        int room = edit is null ? Count : Most + 1;
        Parts = new ulong[room];
        References = new uint[room];
        references.CopyTo(References);
        if (children.IsEmpty) return;
        Children = new IndexPage[room];
        children.CopyTo(Children);
    }

    /// <summary>Number of entries; 0 only if the whole index is empty.</summary>
    internal int Count { get; private set; }

    internal byte[] Prefix { get; set; } = [];

    internal ulong[] Parts { get; }

    /// <summary>The node of each entry; for a page below its first.</summary>
    internal uint[] References { get; }

    /// <summary>The pages below; null in a leaf.</summary>
    internal IndexPage[]? Children { get; }

    internal long MemoryBytes =>
        (long)Parts.Length * (sizeof(ulong) + sizeof(uint)) + Prefix.Length + (long)(Children?.Length ?? 0) * nint.Size;

    /// <summary>This page, if an edit owns it, else a copy.</summary>
    internal IndexPage For(object edit)
    {
        if (ReferenceEquals(_edit, edit)) return this;
        IndexPage copy = new(References.AsSpan(0, Count), Children.AsSpan(0, Children is null ? 0 : Count), edit)
            { Prefix = Prefix };
        Parts.AsSpan(0, Count).CopyTo(copy.Parts);
        return copy;
    }

    /// <summary>Inserts an entry, whose part is not set.</summary>
    internal void Insert(int at, uint reference, IndexPage? child)
    {
        Parts.AsSpan(at, Count - at).CopyTo(Parts.AsSpan(at + 1));
        References.AsSpan(at, Count - at).CopyTo(References.AsSpan(at + 1));
        References[at] = reference;
        if (Children is not null)
        {
            Children.AsSpan(at, Count - at).CopyTo(Children.AsSpan(at + 1));
            Children[at] = child!;
        }
        Count++;
    }

    internal void RemoveAt(int at)
    {
        Count--;
        Parts.AsSpan(at + 1, Count - at).CopyTo(Parts.AsSpan(at));
        References.AsSpan(at + 1, Count - at).CopyTo(References.AsSpan(at));
        if (Children is null) return;
        Children.AsSpan(at + 1, Count - at).CopyTo(Children.AsSpan(at));
        Children[Count] = null!;
    }

    /// <summary>Moves the entries from an index on to a new page.</summary>
    internal IndexPage SplitOff(int at, object edit)
    {
        IndexPage split =
            new(References.AsSpan(at, Count - at), Children is null ? default : Children.AsSpan(at, Count - at), edit);
        Children?.AsSpan(at, Count - at).Clear();
        Count = at;
        return split;
    }

    internal void Append(IndexPage other)
    {
        other.References.AsSpan(0, other.Count).CopyTo(References.AsSpan(Count));
        other.Children?.AsSpan(0, other.Count).CopyTo(Children.AsSpan(Count));
        Count += other.Count;
    }
}
