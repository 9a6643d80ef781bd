namespace Dns.Zones.Editing;

/// <summary>The records of one name while a delta changes them. Reusable.</summary>
internal sealed class OwnerRecords
{
    // The records of a node, each removed once, and as many added ones.
    private const int MaxOctets = 3 * RecordRun.MaxOctets;

    private readonly RecordRun _all;
    private readonly HashSet<int> _there;
    private int _knownCount;

    /// <param name="maxOctets">The maximum octets of all records, before and in the delta.</param>
    internal OwnerRecords(int maxOctets = MaxOctets)
    {
        _all = new RecordRun(maxOctets);
        _there = new HashSet<int>(new RecordIdentity(_all));
    }

    /// <summary>Whether a record had no room; it is neither removed nor added.</summary>
    internal bool IsFull => _all.Surplus is not null;

    /// <summary>The remaining records, after <see cref="End"/>: existing ones first, in their order.</summary>
    internal RecordRun Left { get; } = new();

    /// <summary>Whether there is room for at most so many records (<see cref="RecordRun.IsSmall"/>).</summary>
    internal bool IsSmall(int most) => _all.IsSmall(most) && Left.IsSmall(most);

    /// <summary>Starts with the records of a node.</summary>
    internal void Begin(ZoneNode node, bool isKnown)
    {
        _all.Clear();
        _there.Clear();
        if (isKnown)
        {
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    Add(rrset.Type, rrset.Ttl, rdata);
        }
        _knownCount = _all.Count;
    }

    /// <summary>Removes a record, ignoring the case of names in its RDATA. False if it does not exist.</summary>
    internal bool Remove(RecordList.ListedRecord record) =>
        _all.TryAdd(record.Type, 0, record.Rdata) && _there.Remove(_all.Count - 1);

    /// <summary>Adds a record. False if it exists.</summary>
    internal bool Add(RecordList.ListedRecord record) => Add(record.Type, record.Ttl, record.Rdata);

    /// <summary>Lists the remaining records; returns whether one of them existed before.</summary>
    internal bool End()
    {
        Left.Clear();
        bool isOld = false;
        for (int i = 0; i < _all.Count; i++)
        {
            if (!_there.TryGetValue(i, out int actual) || actual != i) continue;
            isOld |= i < _knownCount;
            ref readonly RecordRun.Entry entry = ref _all[i];
            Left.Add(entry.Type, entry.Ttl, _all.Rdata(i));
        }
        return isOld;
    }

    private bool Add(RRType type, uint ttl, ReadOnlySpan<byte> rdata) =>
        _all.TryAdd(type, ttl, rdata) && _there.Add(_all.Count - 1);

    /// <summary>Compares records of any type.</summary>
    private sealed class RecordIdentity(RecordRun run) : IEqualityComparer<int>
    {
        private readonly RdataIdentity _rdata = new(run);

        public bool Equals(int left, int right) => run[left].Type == run[right].Type && _rdata.Equals(left, right);

        public int GetHashCode(int index) => HashCode.Combine(run[index].Type, _rdata.GetHashCode(index));
    }
}
