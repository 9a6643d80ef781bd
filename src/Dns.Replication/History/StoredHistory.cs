namespace Dns.Replication.History;

/// <summary>
/// Keeps the history of zones from files over restarts: the last version of each zone and the deltas before it, in the
/// files of <see cref="ZoneCopyFolder"/>. The history of a loaded zone continues with the difference between the stored
/// version and the loaded one, so that a file may change while the server is down. It is read when a secondary or the
/// next version needs it: a start with many zones opens no file of them.
/// </summary>
/// <remarks>
/// Thread-safe. A publication only queues a name; one thread of its own writes. Writes need no flush: a version that a
/// crash loses, or damages, is found again as that difference.
/// </remarks>
/// <param name="directory">The directory <c>history</c> of the state directory; created on demand.</param>
/// <param name="keeps">Whether a zone has a history here. Must neither throw nor wait.</param>
/// <param name="limits">The limits of zones from files.</param>
public sealed class StoredHistory(
    string directory, IJournalFiles files, ZoneHistory history, Func<ZoneSlot, bool> keeps, ZoneLimits limits,
    IHistoryObserver observer) : IDisposable
{
    /// <summary>
    /// The number of zones of a server up to which each is stored when it is first loaded; of more zones, each at its
    /// first change.
    /// </summary>
    public const int MaxUnchangedZones = 10_000;

    private static readonly TimeSpan MaxStopTime = TimeSpan.FromSeconds(2);

    private readonly object _gate = new();
    private readonly ZoneCopyFolder _folder = new(directory, files);
    private readonly HashSet<DomainName> _waiting = [];
    private readonly Queue<DomainName> _turns = [];

    // The stored version of each zone: its serial, and the number of the version if it was published here.
    private readonly Dictionary<DomainName, (uint Serial, long Snapshot)> _stored = [];
    private ZoneRegistry? _registry;
    private HashSet<string>? _found;
    private bool _isRunning, _isStopped;

    /// <summary>
    /// The maximum memory of a zone with a stored history, in bytes: to read that takes another version of it.
    /// </summary>
    public long MaxZoneBytes { get; init; } = TransferOptions.ProcessBytes / 16;

    /// <summary>Runs the writing, on a thread of its own.</summary>
    internal Action<Action> Start { get; init; } = static run => new Thread(() => run())
    {
        IsBackground = true, Name = "zone history", Priority = ThreadPriority.BelowNormal,
    }.Start();

    /// <summary>From now on, stores the versions of a registry. After <see cref="ZoneHistory.Follow"/>.</summary>
    public void Follow(ZoneRegistry registry)
    {
        _registry = registry;
        history.Stored = this;
        registry.VersionPublished += (slot, change) =>
        {
            bool canWait = change.Before is null
                && (registry.Published.Current.Count > MaxUnchangedZones || history.IsUnread(slot));
            if (!canWait && keeps(slot)) Queue(slot.Name);
        };
        registry.Changed += change =>
        {
            foreach (ZoneSlot slot in change.Removed)
                if (MayHave(slot.Name)) Queue(slot.Name);
        };
    }

    /// <summary>Whether versions may be written; those that wait for it are written when it ends.</summary>
    public Handover Handover
    {
        get;
        init
        {
            field = value;
            field.Ended += Run;
        }
    } = new();

    /// <summary>Stores what is queued, as far as two seconds suffice. Later versions are not stored.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isStopped = true;
            if (_isRunning) Monitor.Wait(_gate, MaxStopTime);
            _turns.Clear();
        }
    }

    /// <summary>Whether there may be stored deltas that lead to a version being loaded.</summary>
    internal bool Has(ZoneSlot slot, Zone now) =>
        keeps(slot) && now.MemoryBytes <= MaxZoneBytes && MayHave(slot.Name);

    /// <summary>The deltas that lead to the loaded version: those before the stored version, and its difference from
    /// that. Empty if they are unknown.</summary>
    /// <param name="isOther">Whether another version with the serial may be known to secondaries.</param>
    internal IReadOnlyList<ZoneDelta> Read(DomainName name, Zone now, out bool isOther)
    {
        isOther = false;
        bool isThere = _folder.TryLoad(name, limits, out ZoneCopy? copy, out CopyDamage? damage, default);
        if (damage is not null) observer.OnHistoryBroken(name, damage.ToString());
        return isThere ? Continue(name, copy!, now, out isOther) : [];
    }

    private IReadOnlyList<ZoneDelta> Continue(DomainName name, ZoneCopy copy, Zone now, out bool isOther)
    {
        Zone before = copy.Zone;
        bool isClose = ZoneDelta.TryFindBetween(before, now, now.RecordCount, out ZoneDelta? delta);
        bool isSame = isClose && delta!.IsEmpty;
        isOther = !isSame && before.Serial == now.Serial;
        if (isSame || isClose && SerialNumber.IsGreater(now.Serial, before.Serial))
        {
            lock (_gate) _stored[name] = (before.Serial, isSame ? now.Snapshot : 0);
            return isSame ? copy.Deltas : [.. copy.Deltas, ExactDelta.Of(before, now, delta!)];
        }
        return [];
    }

    private bool MayHave(DomainName name)
    {
        lock (_gate)
        {
            try
            {
                _found ??= [.. files.List(directory)];
            }
            catch (IOException)
            {
                // A zone without a history is transferred as a whole.
                _found = [];
            }
            return _stored.ContainsKey(name) || _found.Count > 0 && _found.Contains(ZoneCopyFolder.FileOf(name));
        }
    }

    /// <summary>Lets the thread read what is stored of a zone, if that is due, and store its version.</summary>
    internal void Queue(DomainName name)
    {
        lock (_gate)
        {
            if (_isStopped || !_waiting.Add(name)) return;
            _turns.Enqueue(name);
            Run();
        }
    }

    private void Run()
    {
        lock (_gate)
        {
            if (_isRunning || !Handover.MayWrite || _turns.Count == 0) return;
            _isRunning = true;
            Start(StoreAll);
        }
    }

    private void StoreAll()
    {
        while (true)
        {
            DomainName? name;
            lock (_gate)
            {
                if (!_turns.TryDequeue(out name))
                {
                    _isRunning = false;
                    Monitor.PulseAll(_gate);
                    return;
                }
                _waiting.Remove(name);
            }
            try
            {
                Store(name);
            }
            catch (Exception error)
            {
                // It would end the process. Queries and zones do not depend on it.
                observer.OnHistoryNotStored(name, error.Message);
            }
        }
    }

    private void Store(DomainName name)
    {
        if (_registry!.Find(name) is not { } slot)
        {
            lock (_gate) _stored.Remove(name);
            _folder.Delete(name);
            return;
        }
        if (slot.Zone is not { } now || !keeps(slot) || now.MemoryBytes > MaxZoneBytes) return;
        history.Restore(slot);
        (uint Serial, long Snapshot) stored;
        bool isKnown;
        lock (_gate) isKnown = _stored.TryGetValue(name, out stored);
        if (isKnown && stored.Snapshot == now.Snapshot) return;
        bool isNext = history.TryFind(slot, now, stored.Serial, out ZoneChanges? changes) && isKnown;
        _folder.Save(new ZoneCopy(now, default), isNext ? changes!.Deltas : []);
        lock (_gate) _stored[name] = (now.Serial, now.Snapshot);
    }
}
