namespace Dns.Replication.History;

/// <summary>One delta equivalent to consecutive ones (RFC 1995 §5), without records that came and went.</summary>
internal sealed class CondensedDelta
{
    /// <summary>The maximum number of records to condense: some milliseconds.</summary>
    public const int MaxRecords = 10_000;

    /// <summary>
    /// Of deltas to condense or apply, as many bytes are in memory at a time: 16 MiB, or a 32nd of what the process may
    /// use.
    /// </summary>
    public static long BlockBytes { get; } = Math.Min(16 << 20, TransferOptions.ProcessBytes / 32);

    // For each record of a delta: whether it existed before all of them, and where it was last added, if it exists now.
    private readonly Dictionary<(RecordList List, int Index), (RecordList? Added, int Index, bool WasThere)> _records =
        new(ListedRecordIdentity.Instance);

    private CondensedDelta()
    {
    }

    /// <summary>Condenses consecutive deltas, at least one; null above the maximum number of records.</summary>
    public static ZoneDelta? Of(IReadOnlyList<ZoneDelta> deltas, long most = MaxRecords)
    {
        long records = 0;
        foreach (ZoneDelta delta in deltas) records += delta.Removed.Count + delta.Added.Count;
        if (records > most) return null;
        CondensedDelta condensed = new();
        foreach (ZoneDelta delta in deltas) condensed.Take(delta);
        return condensed.Build(new ZoneDeltaBuilder(deltas[0].Zone, deltas[0].SerialFrom));
    }

    /// <summary>
    /// Condenses consecutive deltas of any number, in blocks that bound the memory; null for none, or above the
    /// maximum memory.
    /// </summary>
    public static ZoneDelta? OfAll(IEnumerable<ZoneDelta> deltas, long blockBytes, long maxBytes)
    {
        List<ZoneDelta> block = [];
        long bytes = 0;
        foreach (ZoneDelta delta in deltas)
        {
            block.Add(delta);
            bytes += delta.MemoryBytes;
            if (bytes < blockBytes) continue;
            (block, bytes) = ([Of(block, long.MaxValue)!], 0);
            if (block[0].MemoryBytes > maxBytes) return null;
        }
        ZoneDelta? all = block.Count == 0 ? null : Of(block, long.MaxValue);
        return all?.MemoryBytes <= maxBytes ? all : null;
    }

    private void Take(ZoneDelta delta)
    {
        for (int i = 0; i < delta.Removed.Count; i++)
        {
            (RecordList, int) record = (delta.Removed, i);
            bool wasThere = !_records.TryGetValue(record, out var known) || known.WasThere;
            _records[record] = (null, 0, wasThere);
        }
        for (int i = 0; i < delta.Added.Count; i++)
        {
            (RecordList, int) record = (delta.Added, i);
            bool wasThere = _records.TryGetValue(record, out var known) && known.WasThere;
            _records[record] = (delta.Added, i, wasThere);
        }
    }

    private ZoneDelta Build(ZoneDeltaBuilder builder)
    {
        foreach (((RecordList list, int index), (RecordList? added, int addedIndex, bool wasThere)) in _records)
        {
            RecordList.ListedRecord record = list[index];
            // A record that was removed and added again may have another TTL or letter case: it is in both lists.
            if (wasThere) builder.Remove(record.Owner, record.Type, record.Rdata, record.Ttl);
            if (added is null) continue;
            record = added[addedIndex];
            builder.Add(record.Owner, record.Type, record.Ttl, record.Rdata);
        }
        return builder.Build();
    }
}
