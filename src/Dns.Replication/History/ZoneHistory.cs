using System.Collections.Concurrent;

namespace Dns.Replication.History;

/// <summary>
/// The deltas of served zones, for IXFR (RFC 1995 §5). For each zone no more is kept than its whole transfer takes; a
/// history starts again where a delta is unknown, a serial does not increase, or the zone is removed. Thread-safe.
/// Readers never wait, except for the stored deltas of a zone, which are read when they are first needed; a publication
/// holds a lock to link one delta. Above the bound, zones that changed least recently are evicted first.
/// </summary>
public sealed class ZoneHistory(long maxBytes)
{
    /// <summary>The default maximum memory in bytes: 128 MiB, or a 16th of what the process may use.</summary>
    public static long DefaultMaxBytes { get; } = Math.Min(128L << 20, TransferOptions.ProcessBytes / 16);

    /// <summary>Creates one with the default maximum.</summary>
    public ZoneHistory() : this(DefaultMaxBytes)
    {
    }

    private readonly ConcurrentDictionary<ZoneSlot, KeptVersions> _zones = [];
    private readonly LinkedList<ZoneSlot> _byChange = [];
    private readonly Lock _gate = new();

    // Zones whose stored deltas have not been read, with the version that these lead to. One is read at a time, since
    // that takes the memory of another version.
    private readonly ConcurrentDictionary<ZoneSlot, Zone> _unread = [];
    private readonly Lock _reading = new();

    // Zones whose serial was served with two contents: secondaries may have either.
    private readonly HashSet<ZoneSlot> _ambiguousSerials = [];
    private long _bytes;

    /// <summary>Memory of all deltas in bytes.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>The maximum memory of a zone whose stored deltas a worker reads, in bytes: milliseconds.</summary>
    internal long SmallZoneBytes { get; init; } = 1 << 20;

    /// <summary>Has the history of zones before the start; null = none.</summary>
    internal StoredHistory? Stored { get; set; }

    /// <summary>The number of zones with a history.</summary>
    public int ZoneCount => _zones.Count;

    /// <summary>From now on, keeps the deltas of the zones of a registry.</summary>
    public void Follow(ZoneRegistry registry)
    {
        registry.VersionPublishing += (slot, change) =>
        {
            // A claim that is not served has no transfers.
            if (ReferenceEquals(registry.Find(slot.Name), slot)) Add(slot, change);
        };
        registry.Changed += change =>
        {
            foreach (ZoneSlot slot in change.Removed)
            {
                Drop(slot);
                NoteContents(slot, isOther: false);
            }
        };
    }

    /// <summary>Finds the deltas from a serial to a version.</summary>
    /// <param name="fromSerial">The serial to start from; not that of <paramref name="now"/>.</param>
    /// <param name="most">The maximum octets of deltas: the search ends there.</param>
    public bool TryFind(ZoneSlot slot, Zone now, uint fromSerial, [NotNullWhen(true)] out ZoneChanges? changes,
        long most = long.MaxValue)
    {
        Restore(slot);
        changes = _zones.TryGetValue(slot, out KeptVersions? versions)
            ? versions.Find(now.Snapshot, fromSerial, most) : null;
        return changes is not null;
    }

    /// <summary>Whether the stored deltas of a zone have not been read.</summary>
    internal bool IsUnread(ZoneSlot slot) => _unread.ContainsKey(slot);

    /// <summary>
    /// Whether a search takes no longer than a worker may: reads the stored deltas of a small zone. Those of a large
    /// one, or during another reading, are left to the thread that stores.
    /// </summary>
    internal bool TryPrepare(ZoneSlot slot)
    {
        if (!_unread.TryGetValue(slot, out Zone? zone)) return true;
        if (zone.MemoryBytes > SmallZoneBytes || !_reading.TryEnter())
        {
            Stored!.Queue(slot.Name);
            return false;
        }
        try
        {
            Restore(slot);
            return true;
        }
        finally
        {
            _reading.Exit();
        }
    }

    /// <summary>Reads the stored deltas of a zone, unless that has been done.</summary>
    internal void Restore(ZoneSlot slot)
    {
        if (!IsUnread(slot)) return;
        lock (_reading)
        {
            if (!_unread.TryGetValue(slot, out Zone? zone)) return;
            Seed(slot, zone, Stored!.Read(slot.Name, zone, out bool isOther));
            NoteContents(slot, isOther);
            _unread.TryRemove(slot, out _);
        }
        Stored.Queue(slot.Name);
    }

    /// <summary>
    /// Adds stored deltas that led to the published version. For the publishing thread, before it publishes another.
    /// Ignored if they do not lead to that version.
    /// </summary>
    /// <param name="deltas">The changes, oldest first.</param>
    public void Seed(ZoneSlot slot, IReadOnlyList<ZoneDelta> deltas)
    {
        if (slot.Zone is { } zone) Seed(slot, zone, deltas);
    }

    /// <summary>
    /// Adds stored deltas that led to a saved version, and the difference of the published version from that. For the
    /// publishing thread, before it publishes another.
    /// </summary>
    public void Continue(ZoneSlot slot, Zone saved, IReadOnlyList<ZoneDelta> deltas)
    {
        if (slot.Zone is not { } now) return;
        if (now.Serial != saved.Serial && ZoneDelta.TryFindBetween(saved, now, now.RecordCount, out ZoneDelta? delta))
            deltas = [.. deltas, ExactDelta.Of(saved, now, delta)];
        Seed(slot, now, deltas);
    }

    private void Seed(ZoneSlot slot, Zone zone, IReadOnlyList<ZoneDelta> deltas)
    {
        if (deltas.Count == 0 || deltas[^1].SerialTo != zone.Serial) return;
        KeptVersions versions = new();
        versions.Measure(zone);
        int first = deltas.Count - 1;
        while (first > 0 && IsForward(deltas[first]) && deltas[first - 1].SerialTo == deltas[first].SerialFrom) first--;
        if (!IsForward(deltas[first])) first++;
        for (int i = first; i < deltas.Count; i++)
            versions.Add(new HistoryDelta(deltas[i], i == deltas.Count - 1 ? zone.Snapshot : 0));
        lock (_gate)
            if (versions.Newest is not null && !_zones.ContainsKey(slot)) Keep(slot, versions);
    }

    private void Add(ZoneSlot slot, in ZoneVersionChange change)
    {
        Restore(slot);
        if (change is not { Before: { } before, Delta: { } delta } || !IsForward(delta)
            || delta.SerialFrom != before.Serial || delta.SerialTo != change.Now.Serial)
        {
            Drop(slot);
            NoteContents(slot, isOther: change.Before?.Serial == change.Now.Serial);
            if (change.Before is null && Stored?.Has(slot, change.Now) == true) _unread[slot] = change.Now;
            return;
        }
        if (NoteContents(slot, isOther: false)) return;
        HistoryDelta kept = new(ExactDelta.Of(before, change.Now, delta), change.Now.Snapshot);
        // Only one thread publishes in a slot, so measuring its zone needs no lock.
        bool isKnown =
            _zones.TryGetValue(slot, out KeptVersions? versions) && versions.Newest?.Snapshot == before.Snapshot;
        if (!isKnown) versions = new KeptVersions();
        versions!.Measure(change.Now);
        lock (_gate)
        {
            if (!isKnown) Remove(slot);
            versions.Add(kept);
            if (isKnown && _zones.ContainsKey(slot)) Count(slot, versions, kept.Bytes);
            else Keep(slot, versions);
        }
    }

    /// <summary>Notes whether a serial was served with other content too; true if the one before was.</summary>
    private bool NoteContents(ZoneSlot slot, bool isOther)
    {
        lock (_gate) return isOther ? !_ambiguousSerials.Add(slot) : _ambiguousSerials.Remove(slot);
    }

    private void Drop(ZoneSlot slot)
    {
        _unread.TryRemove(slot, out _);
        if (!_zones.ContainsKey(slot)) return;
        lock (_gate) Remove(slot);
    }

    private void Keep(ZoneSlot slot, KeptVersions versions)
    {
        _zones[slot] = versions;
        versions.ByChangeNode = _byChange.AddLast(slot);
        Count(slot, versions, versions.Bytes);
    }

    /// <summary>Adds to the memory in use, and evicts above the bound.</summary>
    private void Count(ZoneSlot slot, KeptVersions versions, long bytes)
    {
        Interlocked.Add(ref _bytes, bytes);
        _byChange.Remove(versions.ByChangeNode!);
        _byChange.AddLast(versions.ByChangeNode!);
        while (versions.Newest is not null && versions.Octets >= versions.ZoneOctets) DropOldest(versions);
        if (versions.Newest is null) Remove(slot);
        while (_bytes > maxBytes && _byChange.First is { } least)
        {
            KeptVersions other = _zones[least.Value];
            DropOldest(other);
            if (other.Newest is null) Remove(least.Value);
        }
    }

    private void DropOldest(KeptVersions versions) => Interlocked.Add(ref _bytes, -versions.DropOldest());

    private void Remove(ZoneSlot slot)
    {
        if (!_zones.TryRemove(slot, out KeptVersions? versions)) return;
        _byChange.Remove(versions.ByChangeNode!);
        Interlocked.Add(ref _bytes, -versions.Bytes);
    }

    // RFC 1995 §2 compares serials; one that does not increase starts another history.
    private static bool IsForward(ZoneDelta delta) => SerialNumber.IsGreater(delta.SerialTo, delta.SerialFrom);
}
