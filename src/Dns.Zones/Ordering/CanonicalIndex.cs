namespace Dns.Zones.Ordering;

/// <summary>
/// The nodes of a version in the canonical order of their names: pages of references, groups of pages. Created on first
/// use; an edit of a version that has one copies changed pages.
/// </summary>
/// <remarks>Neither a page nor a group is ever empty: every zone starts with its apex.</remarks>
internal sealed partial class CanonicalIndex
{
    private const int MostOfPage = 512;
    private const int MostOfGroup = 256;
    private const int FullParts = 4;

    private readonly int _apexOctets;
    private uint[][][] _groups;

    private CanonicalIndex(uint[][][] groups, int apexOctets) => (_groups, _apexOctets) = (groups, apexOctets);

    /// <summary>Sorts the nodes of a version.</summary>
    internal static CanonicalIndex Build(Zone zone)
    {
        uint[] references = new uint[zone.NameCount];
        int count = 0;
        for (int i = 0; i < zone.Names.SlotCount; i++)
            if (zone.Names.ReferenceIn(i) is > 0 and var reference) references[count++] = reference;
        CanonicalSort.Sort(zone.Segments, zone.Apex.Length, references);
        // A quarter is left free, so that a few new names do not split every page.
        uint[][] pages = [.. references.Chunk(MostOfPage - MostOfPage / FullParts)];
        return new CanonicalIndex([.. pages.Chunk(MostOfGroup - MostOfGroup / FullParts)], zone.Apex.Length);
    }

    internal static CanonicalPosition First => default;

    /// <summary>The reference at a position; 0 after the last.</summary>
    internal uint At(CanonicalPosition position) =>
        position.Group < _groups.Length ? _groups[position.Group][position.Page][position.Entry] : 0;

    internal CanonicalPosition Next(CanonicalPosition position)
    {
        uint[][] group = _groups[position.Group];
        if (position.Entry + 1 < group[position.Page].Length) return position with { Entry = position.Entry + 1 };
        return position.Page + 1 < group.Length
            ? new(position.Group, position.Page + 1, 0) : new(position.Group + 1, 0, 0);
    }

    /// <summary>The previous position; not for the first.</summary>
    internal CanonicalPosition Previous(CanonicalPosition position)
    {
        if (position.Entry > 0) return position with { Entry = position.Entry - 1 };
        if (position.Page > 0)
            return new(position.Group, position.Page - 1, _groups[position.Group][position.Page - 1].Length - 1);
        uint[][] group = _groups[position.Group - 1];
        return new(position.Group - 1, group.Length - 1, group[^1].Length - 1);
    }

    /// <summary>The position of the last name at or before a name in canonical order.</summary>
    /// <param name="name">A lower-case name in the zone.</param>
    internal CanonicalPosition FindAtOrBefore(byte[][] segments, ReadOnlySpan<byte> name)
    {
        Span<byte> key = stackalloc byte[CanonicalKey.MaxOctets];
        Probe probe = new(segments, key[..CanonicalKey.Write(name, _apexOctets, key)], _apexOctets);
        int low = 0, high = _groups.Length - 1;
        while (low < high)
        {
            int middle = (low + high + 1) >> 1;
            if (probe.IsAtOrBehind(_groups[middle][0][0])) low = middle;
            else high = middle - 1;
        }
        uint[][] group = _groups[low];
        int page = 0;
        high = group.Length - 1;
        while (page < high)
        {
            int middle = (page + high + 1) >> 1;
            if (probe.IsAtOrBehind(group[middle][0])) page = middle;
            else high = middle - 1;
        }
        uint[] entries = group[page];
        int entry = 0;
        high = entries.Length - 1;
        while (entry < high)
        {
            int middle = (entry + high + 1) >> 1;
            if (probe.IsAtOrBehind(entries[middle])) entry = middle;
            else high = middle - 1;
        }
        return new CanonicalPosition(low, page, entry);
    }

    private readonly ref struct Probe(byte[][] segments, ReadOnlySpan<byte> key, int apexOctets)
    {
        private readonly ReadOnlySpan<byte> _key = key;

        /// <summary>Whether the name is at or after that of a node.</summary>
        internal bool IsAtOrBehind(uint reference)
        {
            Span<byte> other = stackalloc byte[CanonicalKey.MaxOctets];
            int length = CanonicalKey.Write(new ZoneNode(ZoneMemory.Node(segments, reference)).Name, apexOctets, other);
            return _key.SequenceCompareTo(other[..length]) >= 0;
        }
    }
}

/// <summary>A position in the canonical order.</summary>
internal readonly record struct CanonicalPosition(int Group, int Page, int Entry);
