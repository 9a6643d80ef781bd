using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>One delta that does what several do one after the other (RFC 1995 §5): what comes and goes in between is not in it.</summary>
internal sealed class CondensedDelta : IEqualityComparer<(RecordList List, int Index)>
{
    /// <summary>The most records of deltas that are made one: some milliseconds.</summary>
    public const int MaxRecords = 10_000;

    // For each record that is in some delta: whether it was there before all of them, and where it was last added, if it is there.
    private readonly Dictionary<(RecordList List, int Index), (bool WasThere, (RecordList List, int Index)? Added)> _records;

    private CondensedDelta() => _records = new(this);

    /// <summary>Makes one delta of several.</summary>
    /// <param name="deltas">The deltas, each of which starts where the one before ends; one at least.</param>
    /// <param name="most">The most records of all.</param>
    /// <returns>Null if they have more than <paramref name="most"/>.</returns>
    public static ZoneDelta? Of(IReadOnlyList<ZoneDelta> deltas, long most = MaxRecords)
    {
        long records = 0;
        foreach (ZoneDelta delta in deltas) records += delta.Removed.Count + delta.Added.Count;
        if (records > most) return null;
        CondensedDelta condensed = new();
        foreach (ZoneDelta delta in deltas) condensed.Take(delta);
        return condensed.Build(new ZoneDeltaBuilder(deltas[0].Zone, deltas[0].SerialFrom));
    }

    /// <summary>Whether two are the same record: owners in any spelling, RDATA octet by octet, whatever their TTLs.</summary>
    public bool Equals((RecordList List, int Index) left, (RecordList List, int Index) right)
    {
        RecordList.ListedRecord one = left.List[left.Index], other = right.List[right.Index];
        return one.Type == other.Type && one.Rdata.SequenceEqual(other.Rdata) && WireName.EqualsIgnoreCase(one.Owner, other.Owner);
    }

    /// <inheritdoc/>
    public int GetHashCode((RecordList List, int Index) record)
    {
        RecordList.ListedRecord listed = record.List[record.Index];
        HashCode hash = default;
        hash.Add((ushort)listed.Type);
        hash.Add(NameHash.Compute(listed.Owner));
        hash.AddBytes(listed.Rdata);
        return hash.ToHashCode();
    }

    private void Take(ZoneDelta delta)
    {
        for (int i = 0; i < delta.Removed.Count; i++)
        {
            (RecordList, int) record = (delta.Removed, i);
            bool wasThere = !_records.TryGetValue(record, out var known) || known.WasThere;
            _records[record] = (wasThere, null);
        }
        for (int i = 0; i < delta.Added.Count; i++)
        {
            (RecordList, int) record = (delta.Added, i);
            _records[record] = (_records.TryGetValue(record, out var known) && known.WasThere, record);
        }
    }

    private ZoneDelta Build(ZoneDeltaBuilder builder)
    {
        foreach (((RecordList list, int index), (bool wasThere, (RecordList List, int Index)? added)) in _records)
        {
            RecordList.ListedRecord record = list[index];
            // One that is there again may have another TTL or spelling: it goes and comes.
            if (wasThere) builder.Remove(record.Owner, record.Type, record.Rdata, record.Ttl);
            if (added is not { } last) continue;
            record = last.List[last.Index];
            builder.Add(record.Owner, record.Type, record.Ttl, record.Rdata);
        }
        return builder.Build();
    }
}
