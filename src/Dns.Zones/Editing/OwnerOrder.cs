namespace Dns.Zones.Editing;

/// <summary>The records of a delta by name: first removed, then added ones.</summary>
internal readonly struct OwnerOrder
{
    private readonly ZoneDelta _delta;
    private readonly (ulong Hash, int Number)[] _order;

    internal OwnerOrder(ZoneDelta delta, EditScratch scratch)
    {
        _delta = delta;
        Count = delta.Removed.Count + delta.Added.Count;
        _order = scratch.Order(Count);
        ReadOnlySpan<byte> last = default;
        ulong hash = 0;
        for (int i = 0; i < Count; i++)
        {
            ReadOnlySpan<byte> owner = Record(i).Owner;
            if (!owner.SequenceEqual(last)) hash = NameHash.Compute(owner);
            last = owner;
            _order[i] = (hash, i);
        }
        _order.AsSpan(0, Count).Sort();
    }

    internal int Count { get; }

    internal RecordList.ListedRecord this[int index] => Record(_order[index].Number);

    /// <summary>Whether a record of this order is added; else it is removed.</summary>
    internal bool IsAdded(int index) => _order[index].Number >= _delta.Removed.Count;

    /// <summary>The index after the last record of the same name.</summary>
    internal int GroupEnd(int start)
    {
        int end = start + 1;
        while (end < Count && _order[end].Hash == _order[start].Hash
            && WireName.EqualsIgnoreCase(this[end].Owner, this[start].Owner)) end++;
        return end;
    }

    private RecordList.ListedRecord Record(int number) =>
        number < _delta.Removed.Count ? _delta.Removed[number] : _delta.Added[number - _delta.Removed.Count];
}
