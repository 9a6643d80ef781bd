using System.Collections.Concurrent;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// The zones that are updated beside their files: their journals, in the state directory, and the updates that wait for them. What is
/// known of a zone is kept from its first update, or from the reading of its file, until the zone is served no more. Thread-safe.
/// </summary>
public sealed class DynamicZones : IZoneOverlay
{
    /// <summary>The ending of a journal.</summary>
    public const string JournalEnding = ".journal";

    /// <summary>The ending of a copy of what is served, as long as file and journal do not go together.</summary>
    public const string KeptEnding = ".kept";

    /// <summary>The ending of a journal that gave way to the file; one is kept.</summary>
    public const string DroppedEnding = ".dropped";

    private const int RefusalsTold = 10;

    private readonly ConcurrentDictionary<DomainName, DynamicZone> _zones = [];
    private readonly Lock _telling = new();
    private readonly Lazy<HashSet<string>> _journals;
    private readonly UpdateWriters _writers;
    private readonly TimeProvider _time;
    private readonly string? _directory;
    private readonly Func<ZoneSlot, bool> _mayChange;
    private ZoneRegistry? _registry;
    private long _waitingOctets;
    private int _waiting;
    private long? _tellingSince;
    private int _told;

    /// <summary>Knows no zones yet.</summary>
    /// <param name="directory">Where journals are, made when the first is written; null = nothing is kept, and no zone updated.</param>
    /// <param name="mayChange">Whether a zone is one that comes from a file and may be changed by anyone at all.</param>
    /// <param name="observer">Told what happens.</param>
    /// <param name="time">Says when zones are published.</param>
    /// <param name="options">The bounds.</param>
    /// <param name="files">The file system.</param>
    public DynamicZones(
        string? directory, Func<ZoneSlot, bool> mayChange, IUpdateObserver observer, TimeProvider time, UpdateOptions options,
        IJournalFiles files)
    {
        (_directory, _mayChange, Observer, _time, Options, Files) = (directory, mayChange, observer, time, options, files);
        _writers = new UpdateWriters(options.MaxWriters);
        _journals = new Lazy<HashSet<string>>(FindJournals);
    }

    /// <summary>How many updates came to what.</summary>
    public UpdateCounters Counters { get; } = new();

    /// <summary>Gets the changes that journals have at the start; null = nobody asks for them.</summary>
    public ZoneHistory? History { get; init; }

    /// <summary>Updates that wait.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    internal IUpdateObserver Observer { get; }

    internal UpdateOptions Options { get; }

    internal IJournalFiles Files { get; }

    internal DateTimeOffset Now => _time.GetUtcNow();

    /// <summary>Updates the zones of a registry from now on.</summary>
    public void Follow(ZoneRegistry registry)
    {
        _registry = registry;
        registry.Changed += change =>
        {
            foreach (ZoneSlot slot in change.Removed)
                if (registry.Find(slot.Name) is null) _zones.TryRemove(slot.Name, out _);
        };
    }

    /// <inheritdoc/>
    public bool Covers(ZoneSlot slot)
    {
        if (_directory is null || _registry?.Find(slot.Name) is { } served && slot.Source is not null && served != slot) return false;
        return _zones.ContainsKey(slot.Name) || _mayChange(slot) || HasJournalOfBefore(slot.Name);
    }

    /// <inheritdoc/>
    public ZoneLoadResult Publish(ZoneSlot slot, ZoneLoadResult read, string place, DateTimeOffset now) =>
        Of(slot.Name).PublishRead(slot, read, place, now);

    /// <summary>
    /// Publishes what another process has written to the journals since they were read: the server before, which has handed over by now.
    /// </summary>
    public void CatchUp()
    {
        foreach (DynamicZone zone in _zones.Values) zone.CatchUp();
    }

    /// <summary>How a zone does that was updated or may be; null if there is nothing to say.</summary>
    public DynamicZoneStatus? StatusOf(DomainName zone) => _zones.TryGetValue(zone, out DynamicZone? found)
        ? new DynamicZoneStatus(found.IsFrozen, found.JournalCount, found.JournalOctets, found.Conflict) : null;

    /// <summary>The zones whose updates are refused so that their files can be edited, in no order.</summary>
    public IReadOnlyList<DomainName> Frozen => [.. _zones.Values.Where(zone => zone.IsFrozen).Select(zone => zone.Name)];

    /// <summary>Writes what is served of a zone over its file, and empties its journal.</summary>
    /// <param name="slot">The zone, of a file.</param>
    /// <param name="write">Writes a version to the file; it is on disk there when this returns. Throws <see cref="IOException"/>.</param>
    /// <returns>The version; null if the file lacks nothing, and was left alone.</returns>
    /// <exception cref="IOException">It could not be written; nothing is lost.</exception>
    public Zone? Synchronise(ZoneSlot slot, Action<Zone> write) => Of(RequireDirectory(slot)).Synchronise(slot, write);

    /// <summary>Does the same, and refuses updates until <see cref="Thaw"/> or the end of the process.</summary>
    /// <exception cref="IOException">It could not be written; nothing has changed.</exception>
    public Zone? Freeze(ZoneSlot slot, Action<Zone> write) => Of(RequireDirectory(slot)).Freeze(slot, write);

    /// <summary>
    /// Takes the file of a zone that is frozen or in conflict with it as it is, and updates again. Changes that are in the journal alone
    /// are dropped; the journal stays beside as <see cref="DroppedEnding"/>.
    /// </summary>
    /// <param name="slot">The zone, of a file.</param>
    /// <param name="read">Has the file read. False if it cannot be taken; then nothing has changed.</param>
    /// <exception cref="IOException">Nothing is kept here.</exception>
    public ThawResult Thaw(ZoneSlot slot, Func<bool> read) => Of(RequireDirectory(slot)).Thaw(read);

    /// <summary>The last changes in the journal of a zone, oldest first.</summary>
    /// <param name="slot">The zone.</param>
    /// <param name="most">How many at most.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    public IReadOnlyList<ZoneDelta> ReadJournal(ZoneSlot slot, int most) => Of(RequireDirectory(slot)).ReadJournal(most);

    /// <summary>Why a zone cannot be updated by anybody; null if it can.</summary>
    internal string? FindObstacle(ZoneSlot slot)
    {
        if (!_mayChange(slot)) return "the zone does not come from a file of this server";
        return _directory is null ? "there is no state directory to keep changes in (Dns:StateDirectory)" : null;
    }

    /// <summary>The slot of a zone.</summary>
    internal ZoneSlot? Find(DomainName zone) => _registry?.Find(zone);

    /// <summary>The path of a file of a zone in the state directory.</summary>
    internal string PathOf(DomainName zone, string ending) => Path.Join(_directory, "zones", ZoneFileNames.Of(zone) + ending);

    /// <summary>Lets an update wait for the writer of its zone.</summary>
    /// <returns>False if too much waits.</returns>
    internal bool TryQueue(UpdateRequest request)
    {
        int waiting = Interlocked.Increment(ref _waiting);
        long octets = Interlocked.Add(ref _waitingOctets, request.Octets);
        if (waiting <= Options.MaxWaiting && octets <= Options.MaxWaitingOctets)
        {
            DynamicZone zone = Of(request.Message.Zone);
            if (zone.TryQueue(request, out bool isFirst))
            {
                if (isFirst) _writers.Add(zone);
                return true;
            }
        }
        Leave(request);
        return false;
    }

    /// <summary>Counts an update that waits no longer.</summary>
    internal void Answered(UpdateRequest request, UpdateResult result)
    {
        Leave(request);
        Counters.Count(result);
    }

    private void Leave(UpdateRequest request)
    {
        Interlocked.Decrement(ref _waiting);
        Interlocked.Add(ref _waitingOctets, -request.Octets);
    }

    /// <summary>Tells the observer of a refusal, some times a minute: who sends many does not fill a disk.</summary>
    internal void TellRefusal(DomainName zone, string client, DomainName? key, string reason)
    {
        lock (_telling)
        {
            if (_tellingSince is not { } since || _time.GetElapsedTime(since) >= TimeSpan.FromMinutes(1))
                (_tellingSince, _told) = (_time.GetTimestamp(), 0);
            if (_told++ >= RefusalsTold) return;
        }
        Observer.OnRefused(zone, client, key, reason);
    }

    /// <summary>Whether a zone was updated before the start: a directory that is listed once costs 100,000 zones nothing.</summary>
    private bool HasJournalOfBefore(DomainName zone) =>
        _journals.Value is { Count: > 0 } journals && journals.Contains(ZoneFileNames.Of(zone) + JournalEnding);

    private HashSet<string> FindJournals()
    {
        try
        {
            return [.. Files.List(Path.Join(_directory, "zones")).Where(name => name.EndsWith(JournalEnding, StringComparison.Ordinal))];
        }
        catch (IOException)
        {
            // What reads the journal of a zone that may be updated says why.
            return [];
        }
    }

    private DynamicZone Of(DomainName zone) => _zones.GetOrAdd(zone, static (name, owner) => new DynamicZone(name, owner), this);

    private DomainName RequireDirectory(ZoneSlot slot) =>
        _directory is not null ? slot.Name : throw new IOException("nothing is kept here: Dns:StateDirectory is null");
}
