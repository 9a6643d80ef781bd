namespace Dns.Dnssec.Signing;

/// <summary>The records of a name to compare.</summary>
internal enum DeltaScope : byte
{
    /// <summary>All except those below.</summary>
    Data,

    /// <summary>NSEC, NSEC3 and their signatures.</summary>
    Denial,

    /// <summary>ZONEMD of the apex and its signatures; elsewhere it is data.</summary>
    Digest,
}

/// <summary>The delta from the previous signed version to the next, name by name. For one thread.</summary>
internal sealed class SignedDelta(Zone previous)
{
    private readonly ZoneDeltaBuilder _builder = new(DomainName.FromOctets(previous.Apex), previous.Serial);
    private readonly Dictionary<byte[], int> _indices = new(OctetComparer.Instance);
    private bool[] _matched = new bool[64];

    /// <summary>Whether anything besides the SOA and its signatures changes.</summary>
    internal bool HasChanges { get; private set; }

    internal ZoneDelta Build() => _builder.Build();

    /// <summary>Compares the old and new records of a name.</summary>
    /// <param name="name">The name in lower case.</param>
    /// <param name="batch">The new records, of this scope only; with or without signatures.</param>
    /// <param name="scope">The records of the previous version to compare.</param>
    internal void Compare(ReadOnlySpan<byte> name, RecordBatch batch, int start, DeltaScope scope)
    {
        int count = batch.Count - start;
        if (_matched.Length < count) _matched = new bool[2 * count];
        _matched.AsSpan(0, count).Clear();
        if (SourceNames.TryFind(previous, name, out ZoneNode node))
        {
            bool isApex = name.Length == previous.Apex.Length;
            foreach (RRset rrset in node)
                if (ScopeOf(rrset.Type, rrset.First, isApex) == scope) Compare(name, rrset, batch, start);
        }
        AddUnmatched(batch, start);
    }

    /// <summary>Compares one RRset of a name, and its signatures, with a whole batch.</summary>
    internal void CompareOne(ZoneNode node, RRType type, RecordBatch batch)
    {
        if (_matched.Length < batch.Count) _matched = new bool[2 * batch.Count];
        _matched.AsSpan(0, batch.Count).Clear();
        if (node.TryFind(type, out RRset records)) Compare(node.Name, records, batch, 0);
        if (node.TryFindSignatures(type, out RRset signatures)) Compare(node.Name, signatures, batch, 0);
        AddUnmatched(batch, 0);
    }

    private void AddUnmatched(RecordBatch batch, int start)
    {
        for (int i = start; i < batch.Count; i++)
        {
            if (_matched[i - start]) continue;
            Note(batch.TypeOf(i), batch.RdataOf(i));
            _builder.Add(batch.OwnerOf(i), batch.TypeOf(i), batch.TtlOf(i), batch.RdataOf(i));
        }
    }

    private void Compare(ReadOnlySpan<byte> name, RRset before, RecordBatch batch, int start)
    {
        ushort covered = CoveredBy(before.Type, before.First);
        int first = start;
        while (first < batch.Count && !IsOf(batch, first, before.Type, covered)) first++;
        if (IsSameRun(before, batch, first))
        {
            _matched.AsSpan(first - start, before.Count).Fill(true);
            return;
        }
        _indices.Clear();
        for (int i = first; i < batch.Count; i++)
            if (IsOf(batch, i, before.Type, covered) && batch.TtlOf(i) == before.Ttl)
                _indices.TryAdd(batch.RdataOf(i).ToArray(), i);
        var indices = _indices.GetAlternateLookup<ReadOnlySpan<byte>>();
        foreach (ReadOnlySpan<byte> rdata in before)
        {
            if (indices.TryGetValue(rdata, out int index))
            {
                _matched[index - start] = true;
                continue;
            }
            Note(before.Type, rdata);
            _builder.Remove(name, before.Type, rdata, before.Ttl);
        }
    }

    // In most cases they are all equal or all different.
    private static bool IsSameRun(RRset before, RecordBatch batch, int first)
    {
        int at = first;
        if (first + before.Count > batch.Count) return false;
        ushort covered = CoveredBy(before.Type, before.First);
        foreach (ReadOnlySpan<byte> rdata in before)
        {
            if (!IsOf(batch, at, before.Type, covered) || batch.TtlOf(at) != before.Ttl) return false;
            if (!rdata.SequenceEqual(batch.RdataOf(at++))) return false;
        }
        return true;
    }

    private void Note(RRType type, ReadOnlySpan<byte> rdata) =>
        HasChanges |= type != RRType.SOA && CoveredBy(type, rdata) != (ushort)RRType.SOA;

    private static bool IsOf(RecordBatch batch, int index, RRType type, ushort covered) =>
        batch.TypeOf(index) == type && CoveredBy(type, batch.RdataOf(index)) == covered;

    private static ushort CoveredBy(RRType type, ReadOnlySpan<byte> rdata) =>
        type == RRType.RRSIG && rdata.Length >= 2 ? (ushort)(rdata[0] << 8 | rdata[1]) : (ushort)0;

    private static DeltaScope ScopeOf(RRType type, ReadOnlySpan<byte> rdata, bool isApex)
    {
        RRType of = type == RRType.RRSIG ? (RRType)CoveredBy(type, rdata) : type;
        return of switch
        {
            RRType.NSEC or RRType.NSEC3 => DeltaScope.Denial,
            RRType.ZONEMD when isApex => DeltaScope.Digest,
            _ => DeltaScope.Data,
        };
    }
}
