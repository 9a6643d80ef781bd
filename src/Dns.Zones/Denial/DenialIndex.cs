namespace Dns.Zones.Denial;

/// <summary>
/// The nodes of a chain of NSEC or NSEC3 records in order: a tree of sorted pages that versions of a zone share. A
/// search reads three pages at a million names, and a node only if eight octets are equal.
/// </summary>
internal sealed partial class DenialIndex<TKey>
    where TKey : struct, IDenialKey
{
    private readonly int _apexOctets;
    private IndexPage _root;

    private DenialIndex(IndexPage root, int count, int apexOctets) =>
        (_root, Count, _apexOctets) = (root, count, apexOctets);

    internal int Count { get; private set; }

    internal long MemoryBytes => BytesOf(_root);

    /// <summary>Creates an index of nodes in the order of their keys.</summary>
    internal static DenialIndex<TKey> Build(byte[][] segments, int apexOctets, ReadOnlySpan<uint> references)
    {
        DenialIndex<TKey> index = new(new IndexPage([]), references.Length, apexOctets);
        if (references.IsEmpty) return index;
        List<IndexPage> pages = [];
        for (int at = 0; at < references.Length; at += IndexPage.Usual)
            pages.Add(new IndexPage(references.Slice(at, Math.Min(IndexPage.Usual, references.Length - at))));
        while (true)
        {
            foreach (IndexPage page in pages) index.Fill(page, segments);
            if (pages.Count == 1) break;
            pages = [.. pages.Chunk(IndexPage.Usual)
                .Select(static below => new IndexPage([.. below.Select(First)], below))];
        }
        index._root = pages[0];
        return index;

        static uint First(IndexPage page) => page.References[0];
    }

    /// <summary>The node at or before a key; the chain is a ring, so the last precedes the first. 0 if empty.</summary>
    internal uint FindAtOrBefore(byte[][] segments, ReadOnlySpan<byte> key)
    {
        if (TKey.IsUniform) return FindUniform(segments, key);
        IndexPage page = _root;
        while (true)
        {
            int i = Find(page, segments, key);
            if (i < 0) return Last();
            if (page.Children is not { } children) return page.References[i];
            page = children[i];
        }
    }

    /// <summary>The same by interpolation over the first octets: reads one or two cache lines of a page.</summary>
    private uint FindUniform(byte[][] segments, ReadOnlySpan<byte> key)
    {
        IndexPage page = _root;
        ulong part = CanonicalKey.Part(key, 0), low = 0, high = ulong.MaxValue;
        while (true)
        {
            ReadOnlySpan<ulong> parts = page.Parts.AsSpan(0, page.Count);
            int i = Guess(parts, part, low, high);
            if (i >= 0 && parts[i] == part) i = FindAmongEqual(page, segments, key, i);
            if (i < 0) return Last();
            if (page.Children is not { } children) return page.References[i];
            low = parts[i];
            if (i + 1 < parts.Length) high = parts[i + 1];
            page = children[i];
        }
    }

    /// <summary>The last part that is not larger, searched from its interpolated position.</summary>
    private static int Guess(ReadOnlySpan<ulong> parts, ulong part, ulong low, ulong high)
    {
        double share = (double)(part - low) / Math.Max(high - low, 1);
        int i = (int)Math.Min(share * parts.Length, parts.Length - 1);
        while (i >= 0 && parts[i] > part) i--;
        while (i + 1 < parts.Length && parts[i + 1] <= part) i++;
        return i;
    }

    /// <summary>The node of the last name; 0 if there is none.</summary>
    internal uint Last()
    {
        IndexPage page = _root;
        while (page.Children is { } children) page = children[page.Count - 1];
        return page.Count == 0 ? 0 : page.References[page.Count - 1];
    }

    internal uint[] ToArray()
    {
        uint[] all = new uint[Count];
        int at = 0;
        Copy(_root, all, ref at);
        return all;
    }

    private static void Copy(IndexPage page, uint[] all, ref int at)
    {
        if (page.Children is { } children)
        {
            foreach (IndexPage child in children.AsSpan(0, page.Count)) Copy(child, all, ref at);
            return;
        }
        page.References.AsSpan(0, page.Count).CopyTo(all.AsSpan(at));
        at += page.Count;
    }

    private static long BytesOf(IndexPage page)
    {
        long total = page.MemoryBytes;
        foreach (IndexPage child in page.Children.AsSpan(0, page.Children is null ? 0 : page.Count))
            total += BytesOf(child);
        return total;
    }

    /// <summary>The last entry of a page at or before a key; -1 if all follow it.</summary>
    private int Find(IndexPage page, byte[][] segments, ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> prefix = page.Prefix;
        int order = key[..Math.Min(key.Length, prefix.Length)].SequenceCompareTo(prefix);
        if (order != 0 || page.Count == 0) return order < 0 ? -1 : page.Count - 1;
        ReadOnlySpan<ulong> parts = page.Parts.AsSpan(0, page.Count);
        ulong part = CanonicalKey.Part(key, prefix.Length);
        if (part < parts[0]) return -1;
        // Branchless: the last part that is not larger.
        int low = 0;
        for (int left = parts.Length; left > 1;)
        {
            int half = left >> 1;
            low += parts[low + half] <= part ? half : 0;
            left -= half;
        }
        return parts[low] == part ? FindAmongEqual(page, segments, key, low) : low;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int FindAmongEqual(IndexPage page, byte[][] segments, ReadOnlySpan<byte> key, int last)
    {
        int low = last;
        while (low > 0 && page.Parts[low - 1] == page.Parts[last]) low--;
        int high = last;
        low--;
        while (low < high)
        {
            int middle = (low + high + 1) >> 1;
            if (IsAtOrBehind(segments, key, page.References[middle])) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    private bool IsAtOrBehind(byte[][] segments, ReadOnlySpan<byte> key, uint reference)
    {
        Span<byte> other = stackalloc byte[TKey.MaxOctets];
        return key.SequenceCompareTo(other[..WriteKey(segments, reference, other)]) >= 0;
    }

    private int WriteKey(byte[][] segments, uint reference, Span<byte> key) =>
        TKey.Write(new ZoneNode(ZoneMemory.Node(segments, reference)).Name, _apexOctets, key);

    /// <summary>Sets prefix and parts of a page from its references.</summary>
    private void Fill(IndexPage page, byte[][] segments)
    {
        Span<byte> key = stackalloc byte[TKey.MaxOctets], last = stackalloc byte[TKey.MaxOctets];
        int length = WriteKey(segments, page.References[0], key);
        int lastLength = WriteKey(segments, page.References[page.Count - 1], last);
        int common = TKey.IsUniform ? 0 : key[..length].CommonPrefixLength(last[..lastLength]);
        page.Prefix = common == 0 ? [] : key[..common].ToArray();
        for (int i = 0; i < page.Count; i++)
        {
            length = WriteKey(segments, page.References[i], key);
            page.Parts[i] = CanonicalKey.Part(key[..length], common);
        }
    }
}
