namespace Dns.Zones.Denial;

/// <content>Changes: an edit copies each page on the path to its changes once.</content>
internal sealed partial class DenialIndex<TKey>
{
    private const int Few = IndexPage.Most / 4;

    private object? _edit;

    /// <summary>A copy that may be changed without changing this one, until <see cref="EndEdit"/>.</summary>
    internal DenialIndex<TKey> BeginEdit() => new(_root, Count, _apexOctets) { _edit = new object() };

    internal void EndEdit() => _edit = null;

    /// <summary>Adds a node with a new name.</summary>
    internal void Add(byte[][] segments, uint reference)
    {
        Span<byte> key = stackalloc byte[TKey.MaxOctets];
        key = key[..WriteKey(segments, reference, key)];
        IndexPage? split = Add(ref _root, segments, key, reference);
        Count++;
        if (split is null) return;
        _root = new IndexPage([_root.References[0], split.References[0]], [_root, split], _edit);
        Fill(_root, segments);
    }

    /// <summary>Removes a node, which is still in memory.</summary>
    internal void Remove(byte[][] segments, uint reference)
    {
        Span<byte> key = stackalloc byte[TKey.MaxOctets];
        Remove(ref _root, segments, key[..WriteKey(segments, reference, key)]);
        Count--;
        while (_root.Children is { } children && _root.Count == 1) _root = children[0];
    }

    internal void Replace(byte[][] segments, uint replacement)
    {
        Span<byte> key = stackalloc byte[TKey.MaxOctets];
        Replace(ref _root, segments, key[..WriteKey(segments, replacement, key)], replacement);
    }

    /// <returns>The page split off after this one; null if it has room.</returns>
    private IndexPage? Add(ref IndexPage link, byte[][] segments, ReadOnlySpan<byte> key, uint reference)
    {
        IndexPage page = link = link.For(_edit!);
        int i = Find(page, segments, key);
        if (page.Children is not { } children) Insert(page, segments, i + 1, key, reference, null);
        else
        {
            i = Math.Max(i, 0);
            IndexPage? split = Add(ref children[i], segments, key, reference);
            SetFirst(page, segments, i);
            if (split is null) return null;
            Span<byte> first = stackalloc byte[TKey.MaxOctets];
            first = first[..WriteKey(segments, split.References[0], first)];
            Insert(page, segments, i + 1, first, split.References[0], split);
        }
        if (page.Count <= IndexPage.Most) return null;
        IndexPage second = page.SplitOff(page.Count / 2, _edit!);
        Fill(page, segments);
        Fill(second, segments);
        return second;
    }

    private void Remove(ref IndexPage link, byte[][] segments, ReadOnlySpan<byte> key)
    {
        IndexPage page = link = link.For(_edit!);
        int i = Math.Max(Find(page, segments, key), 0);
        if (page.Children is not { } children)
        {
            page.RemoveAt(i);
            return;
        }
        Remove(ref children[i], segments, key);
        if (children[i].Count == 0) page.RemoveAt(i);
        else
        {
            SetFirst(page, segments, i);
            if (children[i].Count < Few && page.Count > 1) Join(page, segments, i == 0 ? 0 : i - 1);
        }
    }

    private void Replace(ref IndexPage link, byte[][] segments, ReadOnlySpan<byte> key, uint replacement)
    {
        IndexPage page = link = link.For(_edit!);
        int i = Math.Max(Find(page, segments, key), 0);
        if (page.Children is { } children) Replace(ref children[i], segments, key, replacement);
        page.References[i] = page.Children is null ? replacement : page.Children[i].References[0];
    }

    /// <summary>Copies the first node of a page below.</summary>
    private void SetFirst(IndexPage page, byte[][] segments, int i)
    {
        uint first = page.Children![i].References[0];
        if (page.References[i] == first) return;
        page.References[i] = first;
        Span<byte> key = stackalloc byte[TKey.MaxOctets];
        SetKey(page, segments, i, key[..WriteKey(segments, first, key)]);
    }

    private void Insert(IndexPage page, byte[][] segments, int at, ReadOnlySpan<byte> key, uint reference,
        IndexPage? child)
    {
        page.Insert(at, reference, child);
        SetKey(page, segments, at, key);
    }

    private void SetKey(IndexPage page, byte[][] segments, int at, ReadOnlySpan<byte> key)
    {
        if (key.StartsWith(page.Prefix) && page.Count > 1) page.Parts[at] = CanonicalKey.Part(key, page.Prefix.Length);
        else Fill(page, segments);
    }

    /// <summary>Merges two pages that together fill less than one.</summary>
    private void Join(IndexPage page, byte[][] segments, int i)
    {
        IndexPage[] children = page.Children!;
        if (children[i].Count + children[i + 1].Count > IndexPage.Usual) return;
        IndexPage joined = children[i] = children[i].For(_edit!);
        joined.Append(children[i + 1]);
        Fill(joined, segments);
        page.RemoveAt(i + 1);
    }
}
