namespace Dns.Zones.Ordering;

/// <content>Changes: pages are copied always, groups and their list once in an edit.</content>
internal sealed partial class CanonicalIndex
{
    private HashSet<uint[][]>? _own;

    /// <summary>A copy that may be changed without changing this one, until <see cref="EndEdit"/>.</summary>
    internal CanonicalIndex BeginEdit() =>
        new([.. _groups], _apexOctets) { _own = new HashSet<uint[][]>(ReferenceEqualityComparer.Instance) };

    internal void EndEdit() => _own = null;

    /// <summary>Adds a node with a new name.</summary>
    internal void Add(byte[][] segments, uint reference)
    {
        CanonicalPosition before = FindAtOrBefore(segments, new ZoneNode(ZoneMemory.Node(segments, reference)).Name);
        uint[] page = _groups[before.Group][before.Page];
        uint[] grown = [.. page[..(before.Entry + 1)], reference, .. page[(before.Entry + 1)..]];
        if (grown.Length <= MostOfPage) OwnGroup(before.Group)[before.Page] = grown;
        else SetPages(before.Group, before.Page, 1, grown[..(grown.Length / 2)], grown[(grown.Length / 2)..]);
    }

    /// <summary>Removes a node, which is still in memory.</summary>
    internal void Remove(byte[][] segments, uint reference)
    {
        CanonicalPosition position = FindAtOrBefore(segments, new ZoneNode(ZoneMemory.Node(segments, reference)).Name);
        uint[][] group = _groups[position.Group];
        uint[] page = group[position.Page];
        uint[] left = [.. page[..position.Entry], .. page[(position.Entry + 1)..]];
        bool joins = position.Page + 1 < group.Length
            && left.Length + group[position.Page + 1].Length <= MostOfPage / 2;
        if (joins) SetPages(position.Group, position.Page, 2, [.. left, .. group[position.Page + 1]]);
        else if (left.Length == 0) SetPages(position.Group, position.Page, 1);
        else OwnGroup(position.Group)[position.Page] = left;
    }

    internal void Replace(byte[][] segments, uint replacement)
    {
        CanonicalPosition position =
            FindAtOrBefore(segments, new ZoneNode(ZoneMemory.Node(segments, replacement)).Name);
        uint[][] group = OwnGroup(position.Group);
        uint[] page = [.. group[position.Page]];
        page[position.Entry] = replacement;
        group[position.Page] = page;
    }

    private uint[][] OwnGroup(int number)
    {
        uint[][] group = _groups[number];
        if (_own!.Contains(group)) return group;
        group = [.. group];
        _own.Add(group);
        return _groups[number] = group;
    }

    /// <summary>Replaces pages; the group is split or removed if necessary.</summary>
    private void SetPages(int number, int start, int count, params ReadOnlySpan<uint[]> pages)
    {
        uint[][] group = _groups[number];
        uint[][] changed = [.. group[..start], .. pages, .. group[(start + count)..]];
        uint[][][] groups = changed.Length switch
        {
            0 => [],
            <= MostOfGroup => [changed],
            _ => [changed[..(changed.Length / 2)], changed[(changed.Length / 2)..]],
        };
        foreach (uint[][] own in groups) _own!.Add(own);
        _groups = [.. _groups[..number], .. groups, .. _groups[(number + 1)..]];
    }
}
