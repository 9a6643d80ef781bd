using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// The deltas of one zone that lead to its latest version. Written under the lock of <see cref="ZoneHistory"/>, read by any thread
/// without one: the links backwards from a delta only ever end earlier.
/// </summary>
internal sealed class KeptVersions
{
    private volatile KeptDelta? _newest;
    private long _zoneOctets;
    private long _sampledRecords;
    private KeptDelta? _oldest;

    /// <summary>Its place among the zones, by the time of their latest change.</summary>
    public LinkedListNode<ZoneSlot>? Place { get; set; }

    /// <summary>The latest delta; null if there is none.</summary>
    public KeptDelta? Newest => _newest;

    /// <summary>Bytes of memory that the deltas take.</summary>
    public long Bytes { get; private set; }

    /// <summary>About how many octets the deltas take in a transfer.</summary>
    public long Octets { get; private set; }

    /// <summary>About how many octets the whole zone takes in a transfer.</summary>
    public long ZoneOctets => Volatile.Read(ref _zoneOctets);

    /// <summary>Notes how large the zone is now. A zone that has about as many records as before is not looked at.</summary>
    public void Measure(Zone zone)
    {
        if (_sampledRecords > 0 && Math.Abs(zone.RecordCount - _sampledRecords) <= _sampledRecords / 8) return;
        _sampledRecords = zone.RecordCount;
        Volatile.Write(ref _zoneOctets, TransferOctets.Of(zone));
    }

    /// <summary>Adds the latest delta.</summary>
    public void Add(KeptDelta delta)
    {
        Bytes += delta.Bytes;
        Octets += delta.Octets;
        delta.Previous = _newest;
        if (_newest is { } before) before.Next = delta;
        _oldest ??= delta;
        _newest = delta;
    }

    /// <summary>Lets the oldest delta go.</summary>
    /// <returns>The bytes of memory that it took.</returns>
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

    /// <summary>Finds what leads to a version from that with a serial.</summary>
    /// <returns>Null if it is not known.</returns>
    public ZoneChanges? Find(long snapshot, uint fromSerial)
    {
        KeptDelta? last = _newest;
        while (last is not null && last.Snapshot != snapshot) last = last.Previous;
        int count = 0;
        for (KeptDelta? first = last; first is not null; first = first.Previous)
        {
            count++;
            if (first.Delta.SerialFrom == fromSerial) return Take(last!, count);
        }
        return null;
    }

    private ZoneChanges? Take(KeptDelta last, int count)
    {
        ZoneDelta[] deltas = new ZoneDelta[count];
        long octets = 0;
        KeptDelta? delta = last;
        for (int i = count - 1; i >= 0; i--, delta = delta.Previous)
        {
            // The oldest may have been let go meanwhile.
            if (delta is null) return null;
            deltas[i] = delta.Delta;
            octets += delta.Octets;
        }
        return new ZoneChanges(deltas, octets, ZoneOctets);
    }
}
