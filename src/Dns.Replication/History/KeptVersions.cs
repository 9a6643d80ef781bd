namespace Dns.Replication.History;

/// <summary>
/// The deltas of one zone up to its latest version. Written under the lock of <see cref="ZoneHistory"/>; lock-free
/// reads, since backward links are only ever cut.
/// </summary>
internal sealed class KeptVersions
{
    private volatile HistoryDelta? _newest;
    private long _zoneOctets;
    private long _sampledRecords;
    private HistoryDelta? _oldest;

    /// <summary>Its position among the zones, by last change.</summary>
    public LinkedListNode<ZoneSlot>? ByChangeNode { get; set; }

    /// <summary>The latest delta; null if there is none.</summary>
    public HistoryDelta? Newest => _newest;

    /// <summary>Memory of the deltas in bytes.</summary>
    public long Bytes { get; private set; }

    /// <summary>The approximate length of the deltas in a transfer, in octets.</summary>
    public long Octets { get; private set; }

    /// <summary>The approximate length of the whole zone in a transfer, in octets.</summary>
    public long ZoneOctets => Volatile.Read(ref _zoneOctets);

    /// <summary>Updates the length of the zone, unless its number of records is about the same.</summary>
    public void Measure(Zone zone)
    {
        if (_sampledRecords > 0 && Math.Abs(zone.RecordCount - _sampledRecords) <= _sampledRecords / 8) return;
        _sampledRecords = zone.RecordCount;
        Volatile.Write(ref _zoneOctets, TransferOctets.Of(zone));
    }

    public void Add(HistoryDelta delta)
    {
        Bytes += delta.Bytes;
        Octets += delta.Octets;
        delta.Previous = _newest;
        if (_newest is { } before) before.Next = delta;
        _oldest ??= delta;
        _newest = delta;
    }

    /// <summary>Evicts the oldest delta; returns its memory in bytes.</summary>
    public long DropOldest()
    {
        if (_oldest is not { } oldest) return 0;
        Bytes -= oldest.Bytes;
        Octets -= oldest.Octets;
        _oldest = oldest.Next;
        if (_oldest is { } next) next.Previous = null;
        else _newest = null;
        return oldest.Bytes;
    }

    /// <summary>Finds the deltas from a serial to a version; null if they are not all kept, or too long.</summary>
    /// <param name="most">The maximum octets of deltas.</param>
    public ZoneChanges? Find(long snapshot, uint fromSerial, long most)
    {
        HistoryDelta? last = _newest;
        while (last is not null && last.Snapshot != snapshot) last = last.Previous;
        int count = 0;
        for (HistoryDelta? first = last; first is not null && (most -= first.Octets) >= 0; first = first.Previous)
        {
            count++;
            if (first.Delta.SerialFrom == fromSerial) return Take(last!, count);
        }
        return null;
    }

    private ZoneChanges? Take(HistoryDelta last, int count)
    {
        ZoneDelta[] deltas = new ZoneDelta[count];
        long octets = 0;
        HistoryDelta? delta = last;
        for (int i = count - 1; i >= 0; i--, delta = delta.Previous)
        {
            // The oldest may have been evicted meanwhile.
            if (delta is null) return null;
            deltas[i] = delta.Delta;
            octets += delta.Octets;
        }
        return new ZoneChanges(deltas, octets, ZoneOctets);
    }
}
