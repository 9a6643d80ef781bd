using System.Collections.Concurrent;

namespace Dns.Replication.Update;

/// <summary>
/// The dynamically updated zones: their journals in the state directory, and the queue of updates. The state of a zone
/// is kept from its first update, or the first reading of its file, until it is removed. Thread-safe.
/// </summary>
public sealed class DynamicZones : IZoneOverlay, IZoneWriter
{
    /// <summary>The extension of a journal.</summary>
    public const string JournalEnding = ".journal";

    /// <summary>The extension of a copy: of a journal's base, or of the served version during a conflict.</summary>
    public const string KeptEnding = ".kept";

    /// <summary>The extension of a discarded journal; one is kept.</summary>
    public const string DroppedEnding = ".dropped";

    private const int MaxLoggedRefusals = 10;

    private readonly ConcurrentDictionary<DomainName, DynamicZone> _zones = [];
    // Zones that are gone, of which journals have changes.
    private readonly ConcurrentDictionary<DomainName, bool> _left = [];
    private readonly Lock _refusalLog = new();
    private readonly Lazy<HashSet<string>> _journals;
    private readonly UpdateWriters _writers;
    private readonly UpdateRoom _room;
    private readonly string? _directory;
    private readonly Func<ZoneSlot, bool> _mayChange;
    private ZoneRegistry? _registry;
    private long? _refusalsSince;
    private int _loggedRefusals;
    private long _zoneBytes;

    /// <summary>Creates it without zones.</summary>
    /// <param name="directory">For journals, created on demand; null = no journals and no updates.</param>
    /// <param name="mayChange">Whether a zone has a file and an update policy with rules.</param>
    public DynamicZones(
        string? directory, Func<ZoneSlot, bool> mayChange, IUpdateObserver observer, TimeProvider time,
        UpdateOptions options, IJournalFiles files)
    {
        (_directory, _mayChange, Observer, Time, Options, Files) =
            (directory, mayChange, observer, time, options, files);
        _writers = new UpdateWriters(options.MaxWriters);
        _room = new UpdateRoom(options.MaxWaiting, options.MaxWaitingOctets);
        _journals = new Lazy<HashSet<string>>(FindJournals);
    }

    /// <summary>Counters of updates by result.</summary>
    public UpdateCounters Counters { get; } = new();

    /// <summary>Receives the changes of journals at the start; null = none.</summary>
    public ZoneHistory? History { get; init; }

    /// <summary>The number of queued updates.</summary>
    public int Waiting => _room.Count;

    /// <summary>Memory of all zones that are updated dynamically, with that of signing them, in bytes.</summary>
    internal long ZoneBytes => Volatile.Read(ref _zoneBytes);

    /// <summary>
    /// The maximum memory of the change that a journal is condensed to, which is made and read at once: a quarter of
    /// what the updated zones leave of their room, and at least a 16th of what the process may use.
    /// </summary>
    internal long MaxCondensedBytes => Options.MaxCondensedBytes
        ?? Math.Max(TransferOptions.ProcessBytes / 16, (TransferOptions.ProcessBytes / 2 - ZoneBytes) / 4);

    internal void CountBytes(long change) => Interlocked.Add(ref _zoneBytes, change);

    internal IUpdateObserver Observer { get; }

    internal UpdateOptions Options { get; }

    internal IJournalFiles Files { get; }

    internal TimeProvider Time { get; }

    internal DateTimeOffset Now => Time.GetUtcNow();

    /// <summary>From now on, updates the zones of a registry.</summary>
    public void Follow(ZoneRegistry registry)
    {
        _registry = registry;
        registry.Changed += change =>
        {
            foreach (ZoneSlot slot in change.Removed)
                Drop(slot.Name)?.Forget();
        };
    }

    /// <inheritdoc/>
    public bool Covers(ZoneSlot slot)
    {
        if (_directory is null || _registry?.Find(slot.Name) is { } served && slot.Source is not null && served != slot)
            return false;
        return _zones.ContainsKey(slot.Name) || _mayChange(slot) || _left.ContainsKey(slot.Name)
            || HasEarlierJournal(slot.Name);
    }

    /// <inheritdoc/>
    public ZoneLoadResult Publish(ZoneSlot slot, ZoneLoadResult read, string path, DateTimeOffset now) =>
        Of(slot.Name).PublishRead(slot, read, path, now);

    /// <inheritdoc/>
    public string? FindConflict(DomainName zone, Zone read, string path) =>
        _zones.TryGetValue(zone, out DynamicZone? found) ? found.FindConflict(read, path) : null;

    /// <inheritdoc/>
    public void Abandon(DomainName zone)
    {
        // The next try opens the journal again, which may have been moved away.
        Drop(zone)?.Uncount();
    }

    /// <summary>
    /// Drops the state of a zone that is gone. Its journal is read if it comes back, also without rules.
    /// </summary>
    private DynamicZone? Drop(DomainName zone)
    {
        if (_registry?.Find(zone) is not null || !_zones.TryGetValue(zone, out DynamicZone? gone)) return null;
        if (gone.JournalCount > 0) _left.TryAdd(zone, true);
        return _zones.TryRemove(zone, out gone) ? gone : null;
    }

    /// <summary>
    /// Whether journals may be written: while another process updates the zones, their files are only read.
    /// </summary>
    public Handover Handover { get; init; } = new();

    /// <summary>
    /// Publishes what another process, which this one replaces, left in the journals when it ended. After
    /// <see cref="Handover.Complete"/>.
    /// </summary>
    /// <returns>The zones whose files have to be read again, since that process has written them.</returns>
    public IReadOnlyList<DomainName> CatchUp() =>
        [.. _zones.Values.Where(zone => !zone.TryCatchUp()).Select(zone => zone.Name)];

    /// <summary>The status of a zone that is updated dynamically; null for others.</summary>
    public UpdateState? StatusOf(DomainName zone) => _zones.TryGetValue(zone, out DynamicZone? found)
        ? new UpdateState(found.State.IsFrozen, found.JournalCount, found.JournalOctets, found.State.Conflict,
            found.State.Loss) : null;

    /// <summary>
    /// The serial of a frozen zone when it was frozen, if another version has been read from its file since; else null.
    /// </summary>
    public uint? SerialBeforeEdit(ZoneSlot slot) =>
        _zones.TryGetValue(slot.Name, out DynamicZone? found) && found.State.Frozen is var (serial, version)
        && !(version.TryGetTarget(out Zone? frozen) && ReferenceEquals(frozen, slot.SourceZone)) ? serial : null;

    /// <summary>The frozen zones, in no order.</summary>
    public IReadOnlyList<DomainName> Frozen =>
        [.. _zones.Values.Where(zone => zone.State.IsFrozen).Select(zone => zone.Name)];

    /// <summary>The zones whose journal was damaged, in no order.</summary>
    public IReadOnlyList<DomainName> Lossy =>
        [.. _zones.Values.Where(zone => zone.State.Loss is not null).Select(zone => zone.Name)];

    /// <summary>The zones whose last updates could not be stored, with the reason, in no order.</summary>
    public IReadOnlyList<(DomainName Zone, string Reason)> Unsaved =>
        [.. _zones.Values.Where(zone => zone.State.Unsaved is not null)
            .Select(zone => (zone.Name, zone.State.Unsaved!))];

    /// <summary>Writes the served version of a zone over its file, and empties its journal.</summary>
    /// <param name="slot">The zone, from a file.</param>
    /// <param name="write">Writes a version to the file; on disk on return. Throws <see cref="IOException"/>.</param>
    /// <returns>The version; null if the file is up to date and was left unchanged.</returns>
    /// <exception cref="IOException">The write failed; nothing is lost.</exception>
    public Zone? Synchronise(ZoneSlot slot, Action<Zone> write) => Of(RequireDirectory(slot)).Synchronise(slot, write);

    /// <summary>The same, and refuses updates until <see cref="Thaw"/> or the end of the process.</summary>
    /// <exception cref="IOException">The write failed; nothing has changed.</exception>
    public Zone? Freeze(ZoneSlot slot, Action<Zone> write) => Of(RequireDirectory(slot)).Freeze(slot, write);

    /// <summary>
    /// Accepts the file of a zone that is frozen or in conflict, and permits updates again. Changes that only the
    /// journal has are dropped; the journal is kept as <see cref="DroppedEnding"/>.
    /// </summary>
    /// <param name="slot">The zone, from a file.</param>
    /// <param name="read">Reads the file. False if it is invalid; then nothing has changed.</param>
    /// <exception cref="IOException">There is no state directory.</exception>
    public ThawResult Thaw(ZoneSlot slot, Func<bool> read) => Of(RequireDirectory(slot)).Thaw(read);

    /// <summary>The last changes in the journal of a zone, oldest first.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public IReadOnlyList<ZoneDelta> ReadJournal(ZoneSlot slot, int most) =>
        Of(RequireDirectory(slot)).ReadJournal(most);

    /// <summary>Why a zone cannot be updated at all; null if it can.</summary>
    internal ZoneWriteFaultKind? FindObstacle(ZoneSlot slot)
    {
        if (!_mayChange(slot)) return ZoneWriteFaultKind.NotWritable;
        return _directory is null ? ZoneWriteFaultKind.NoStateDirectory : null;
    }

    /// <inheritdoc/>
    /// <remarks>The writes of a zone that wait share one flush. A call has one write.</remarks>
    public Task<IReadOnlyList<ZoneWriteResult>> WriteAsync(
        IReadOnlyList<ZoneWrite> writes, CancellationToken cancellation)
    {
        ZoneWriteFaultKind? fault = writes.Count > 1 ? ZoneWriteFaultKind.NotTogether
            : Find(writes[0].Zone) is not { } slot ? ZoneWriteFaultKind.NoZone : FindObstacle(slot);
        if (fault is null)
        {
            AwaitedWrite waiting = new(writes[0], cancellation);
            if (TryQueue(waiting)) return waiting.Done;
            fault = ZoneWriteFaultKind.Overloaded;
        }
        return Task.FromResult(ZoneWriteResult.Refuse(writes, new ZoneWriteFault(fault.Value)));
    }

    internal ZoneSlot? Find(DomainName zone) => _registry?.Find(zone);

    /// <summary>The path of a file of a zone in the state directory.</summary>
    internal string PathOf(DomainName zone, string ending) =>
        Path.Join(_directory, "zones", ZoneFileNames.Of(zone) + ending);

    /// <summary>Whether there is room for an update of a client.</summary>
    internal bool HasRoom(UpdateAccount client, int octets) => _room.HasRoom(client, octets);

    /// <summary>Queues a write for the writer of its zone; false if there is no room for one of its client.</summary>
    internal bool TryQueue(QueuedWrite write)
    {
        if (!_room.TryEnter(write)) return false;
        DynamicZone zone = Of(write.Zone);
        if (zone.TryQueue(write, out bool isFirst))
        {
            if (isFirst) _writers.Add(zone);
            return true;
        }
        _room.Leave(write);
        return false;
    }

    /// <summary>Passes a write to the back end of its zone; false if there is no room for one of its client.</summary>
    internal bool TryWrite(QueuedWrite write, IZoneWriter writer)
    {
        if (!_room.TryEnter(write)) return false;
        _ = Task.Run(() => WriteAsync(write, writer));
        return true;
    }

    private async Task WriteAsync(QueuedWrite write, IZoneWriter writer)
    {
        ZoneWriteResult result;
        try
        {
            result = (await writer.WriteAsync([write.Write], CancellationToken.None).ConfigureAwait(false))[0];
            if (result.Faults is [{ Kind: not ZoneWriteFaultKind.Prerequisite } fault, ..])
                LogRefusal(write.Zone, write.Write.Author, fault);
            if (result is { IsChanged: true, Serial: { } serial } && write.Delta is { } delta)
                Observer.OnApplied(
                    write.Zone, write.Write.Author, delta.Removed.Count, delta.Added.Count, serial);
        }
        catch (Exception error)
        {
            Observer.OnCrash(write.Zone, error);
            result = ZoneWriteResult.Of(new ZoneWriteFault(ZoneWriteFaultKind.Crashed));
        }
        Complete(write, result);
    }

    /// <summary>Passes the result of a write that left the queue to its author.</summary>
    internal void Complete(QueuedWrite write, ZoneWriteResult result)
    {
        _room.Leave(write);
        write.Complete(result, Counters);
    }

    /// <summary>Reports a refusal, rate-limited, so that a client cannot fill the disk with log lines.</summary>
    internal void LogRefusal(DomainName zone, ZoneAuthor author, ZoneWriteFault reason)
    {
        lock (_refusalLog)
        {
            if (_refusalsSince is not { } since || Time.GetElapsedTime(since) >= TimeSpan.FromMinutes(1))
                (_refusalsSince, _loggedRefusals) = (Time.GetTimestamp(), 0);
            if (_loggedRefusals++ >= MaxLoggedRefusals) return;
        }
        Observer.OnRefused(zone, author, reason);
    }

    /// <summary>Whether a zone was updated before the start; the directory is listed once for all zones.</summary>
    private bool HasEarlierJournal(DomainName zone) =>
        _journals.Value is { Count: > 0 } journals && journals.Contains(ZoneFileNames.Of(zone) + JournalEnding);

    private HashSet<string> FindJournals()
    {
        try
        {
            return [.. Files.List(Path.Join(_directory, "zones"))
                .Where(name => name.EndsWith(JournalEnding, StringComparison.Ordinal))];
        }
        catch (IOException)
        {
            // The reader of the zone's journal reports the error.
            return [];
        }
    }

    private DynamicZone Of(DomainName zone) =>
        _zones.GetOrAdd(zone, static (name, owner) => new DynamicZone(name, owner), this);

    private DomainName RequireDirectory(ZoneSlot slot) =>
        _directory is not null ? slot.Name : throw new IOException("nothing is kept here: Dns:StateDirectory is null");
}
