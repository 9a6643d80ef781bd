namespace Dns.Replication.Catalogs;

/// <summary>
/// Produces catalogs of the served zones whose policy names them (RFC 9432). A member keeps its id as long as it is
/// listed, also over restarts if versions are stored; the serial changes with the content. Thread-safe.
/// </summary>
/// <param name="copies">Stores versions over restarts.</param>
/// <param name="run">Runs work; null = the thread pool.</param>
public sealed class CatalogProducer(IZoneCopies copies, ICatalogObserver observer, TimeProvider time,
    Action<Action>? run = null)
    : IZoneSource
{
    // Required by the copy's format, without meaning for a produced catalog.
    private static readonly TimeSpan Forever = TimeSpan.FromDays(36_500);

    private readonly Action<Action> _run =
        run ?? (static work => ThreadPool.UnsafeQueueUserWorkItem(static work => work(), work, false));
    private readonly Lock _gate = new();
    private readonly Dictionary<DomainName, ZoneSlot> _slots = [];
    private IReadOnlyList<CatalogProducerOptions> _wanted = [];
    private ZoneRegistry? _registry;
    private int _isWanted;
    private bool _isStopped;

    /// <inheritdoc/>
    public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation)
    {
        lock (_gate)
        {
            _registry = registry;
            Change(_wanted);
        }
        // Claims of other sources exist already, or raise a change.
        registry.Changed += OnChanged;
        Refresh();
        return Task.FromResult(new ZoneLoadSummary(_slots.Count, 0, 0, 0) { Added = _slots.Count });
    }

    /// <summary>Changes the produced catalogs; before the start the list is kept for it.</summary>
    public void Use(IReadOnlyList<CatalogProducerOptions> catalogs)
    {
        lock (_gate)
        {
            _wanted = catalogs;
            if (_registry is null) return;
            Change(catalogs);
        }
        Refresh();
    }

    /// <summary>Schedules an update for changes of served zones or policies.</summary>
    public void Refresh()
    {
        if (Interlocked.Exchange(ref _isWanted, 1) == 0) _run(MakeAll);
    }

    /// <summary>Schedules an update; there is nothing to read.</summary>
    public Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        Refresh();
        return Task.FromResult(default(ZoneLoadSummary));
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellation)
    {
        lock (_gate) _isStopped = true;
        if (_registry is not null) _registry.Changed -= OnChanged;
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public ZoneOrigin OriginOf(ZoneSlot slot) => new("the zones that are its members", null) { IsGivenByName = true };

    private void OnChanged(ZoneRegistryChange change) => Refresh();

    private void Change(IReadOnlyList<CatalogProducerOptions> catalogs)
    {
        HashSet<DomainName> wanted = [.. catalogs.Select(catalog => catalog.Name)];
        List<ZoneSlot> added = [], removed = [.. _slots.Values.Where(slot => !wanted.Contains(slot.Name))];
        foreach (ZoneSlot slot in removed)
        {
            _slots.Remove(slot.Name);
            copies.Delete(slot.Name);
        }
        foreach (CatalogProducerOptions catalog in catalogs)
        {
            if (!_slots.TryGetValue(catalog.Name, out ZoneSlot? slot))
                added.Add(
                    _slots[catalog.Name] = slot = new ZoneSlot(catalog.Name) { Precedence = ZonePrecedence.Settings });
            (slot.AllowQuery, slot.Policy) = (catalog.AllowQuery, catalog.Policy);
        }
        if (added.Count + removed.Count > 0) _registry!.Change(this, removed, added);
    }

    private void MakeAll()
    {
        lock (_gate)
        {
            // A change from here on causes another pass.
            Volatile.Write(ref _isWanted, 0);
            if (_isStopped || _slots.Count == 0) return;
            Dictionary<DomainName, List<CatalogMember>> members = FindMembers();
            foreach (ZoneSlot slot in _slots.Values)
            {
                try
                {
                    Make(slot, members.GetValueOrDefault(slot.Name) ?? []);
                }
                catch (Exception error)
                {
                    observer.OnFault(slot.Name, error);
                }
            }
        }
    }

    /// <summary>The served zones that name a catalog, without ids.</summary>
    private Dictionary<DomainName, List<CatalogMember>> FindMembers()
    {
        Dictionary<DomainName, List<CatalogMember>> members = [];
        foreach (ZoneSlot slot in _registry!.Published.Current.Slots)
        {
            if (slot.Policy is not { MemberOf: { } catalog } policy || _slots.ContainsKey(slot.Name)) continue;
            if (!members.TryGetValue(catalog, out List<CatalogMember>? list)) members[catalog] = list = [];
            list.Add(new CatalogMember("", slot.Name) { Groups = policy.Group is { } group ? [group] : [] });
        }
        return members;
    }

    private void Make(ZoneSlot slot, List<CatalogMember> members)
    {
        Zone? before = slot.SourceZone ?? Load(slot.Name);
        CatalogContent? content = before is null ? null : CatalogContent.Read(before, out _);
        Dictionary<DomainName, CatalogMember> known = content?.Members.ToDictionary(member => member.Zone) ?? [];
        bool isSame = content is not null && known.Count == members.Count;
        for (int i = 0; i < members.Count; i++)
        {
            CatalogMember? old = known.GetValueOrDefault(members[i].Zone);
            isSame &= old is not null && old.Groups.SequenceEqual(members[i].Groups);
            members[i] = members[i] with { Id = old?.Id ?? CatalogMaker.NewId(members[i].Zone, before?.Serial) };
        }
        if (isSame)
        {
            if (slot.SourceZone is null) slot.Publish(before!, time.GetUtcNow());
            return;
        }
        Publish(slot, before, members);
        if (members.Count == 0 && known.Count > 0) observer.OnEmptied(slot.Name, known.Count);
    }

    private void Publish(ZoneSlot slot, Zone? before, List<CatalogMember> members)
    {
        DateTimeOffset now = time.GetUtcNow();
        uint serial = unchecked((uint)now.ToUnixTimeSeconds());
        if (before is not null && !SerialNumber.IsGreater(serial, before.Serial)) serial = unchecked(before.Serial + 1);
        Zone zone = CatalogMaker.Make(slot.Name, serial, members);
        ZoneDelta? delta = before is null ? null : ZoneDelta.Between(before, zone);
        try
        {
            copies.Save(new ZoneCopy(zone, new ZoneCopyTimes(now, now + Forever, now + Forever)), []);
        }
        catch (IOException error)
        {
            observer.OnNotStored(slot.Name, error.Message);
        }
        slot.Publish(zone, now, slot.SourceZone is null ? null : delta);
        observer.OnMade(slot.Name, serial, members.Count);
    }

    private Zone? Load(DomainName catalog)
    {
        copies.TryLoad(catalog, ZoneLimits.Default, out ZoneCopy? copy, out CopyDamage? damage, CancellationToken.None);
        if (damage is not null) observer.OnNotStored(catalog, damage.ToString());
        return copy?.Zone;
    }
}
