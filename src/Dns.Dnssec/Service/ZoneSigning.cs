using System.Collections.Concurrent;

namespace Dns.Dnssec.Service;

/// <summary>
/// Keeps the zones with a policy signed: signs new versions of their sources, renews signatures before they expire, and
/// rolls their keys over. One timer and a bounded number of threads for all zones. Thread-safe.
/// </summary>
public sealed partial class ZoneSigning : IZoneSigning, IDisposable
{
    private readonly ConcurrentDictionary<DomainName, SignedZone> _zones = [];

    // Zones that finished going insecure since the start; those whose source is served, since it is signed with keys
    // that are here; and those that are signed by both, which was reported.
    private readonly ConcurrentDictionary<DomainName, bool> _left = [], _elsewhere = [], _foreign = [];

    // Zones whose former slot was released since the start, and whether all versions are saved.
    private readonly ConcurrentDictionary<DomainName, bool> _released = [];
    private readonly Lock _gate = new();
    private readonly SigningQueue _waiting = new();
    private readonly HashSet<SignedZone> _unsaved = [];
    private readonly CancellationTokenSource _stopping = new();
    private Func<string, DnssecPolicy?> _policies = static _ => null;
    private ZoneRegistry? _registry;
    private int _running;
    private bool _isSaving;
    private TaskCompletionSource? _idle;
    private (DateTimeOffset Wall, long Stamp)? _lastLook;

    /// <summary>Creates the service; it signs nothing before <see cref="Follow"/>.</summary>
    /// <param name="kept">The store of signed versions.</param>
    public ZoneSigning(IKeyStore keys, ISignedZones kept, TimeProvider time, ISigningObserver observer,
        ZoneSigningOptions? options = null)
    {
        (Keys, Kept, Time, Observer, Options) = (keys, kept, time, observer, options ?? new ZoneSigningOptions());
        Schedule = new SigningSchedule(time, RunDue);
        Caches = new SignatureCaches(Options.OnlineCacheOctets);
    }

    /// <summary>Receives the deltas that led to a signed version when it was loaded from disk.</summary>
    public event Action<ZoneSlot, Zone, IReadOnlyList<ZoneDelta>>? Restored;

    /// <summary>
    /// Called to notify a parent of CDS and CDNSKEY records (RFC 9859), with the servers to query: when they are first
    /// served, and once a day and at a start while the parent has not followed them. Must neither throw nor wait.
    /// </summary>
    public event Action<ZoneSlot, PeerAddress>? ParentNotifying;

    /// <summary>The key store.</summary>
    public IKeyStore Keys { get; }

    /// <summary>Queries the DS records at the parents; null = off, and an operator confirms them.</summary>
    public IParentCheck? Parent { get; init; }

    internal ISignedZones Kept { get; }

    internal TimeProvider Time { get; }

    internal ISigningObserver Observer { get; }

    internal ZoneSigningOptions Options { get; }

    internal SigningSchedule Schedule { get; }

    /// <summary>Signatures made for answers of zones with compact denial.</summary>
    public long OnlineSignatures => Caches.Made;

    internal SignatureCaches Caches { get; }

    internal DateTimeOffset Now => Time.GetUtcNow();

    /// <summary>
    /// Whether keys and versions may be written. Until then zones are signed with the keys that they have, and nothing
    /// is written: another process serves them, takes the steps of their keys and writes both. If this one ends before,
    /// nothing has happened. The serials of versions served meanwhile are not reserved.
    /// </summary>
    public Handover Handover
    {
        get;
        init
        {
            field = value;
            field.Ending += Keys.Invalidate;
            field.Ended += QueueAll;
        }
    } = new();

    /// <summary>Starts signing the zones of a registry. Called before its first claim.</summary>
    public void Follow(ZoneRegistry registry)
    {
        _registry = registry;
        registry.Signer = this;
        registry.Changed += OnChanged;
    }

    /// <summary>Sets the policies; zones whose policy changed follow it.</summary>
    /// <param name="policies">Finds a policy by its name; null = unknown.</param>
    public void Use(Func<string, DnssecPolicy?> policies)
    {
        Volatile.Write(ref _policies, policies);
        foreach (SignedZone zone in _zones.Values)
            if (PolicyOf(zone.Slot) is { } policy) zone.Use(policy);
    }

    /// <summary>The status of a zone; null if it is not signed here.</summary>
    public SigningState? StatusOf(DomainName zone) =>
        _zones.TryGetValue(zone, out SignedZone? found) ? found.Status : null;

    /// <summary>The number of zones that are signed here.</summary>
    public int Count => _zones.Count;

    /// <summary>Completes when no zone waits to be signed: each has been, or cannot be. After a stop, too.</summary>
    public Task WhenIdle()
    {
        lock (_gate)
        {
            if (_running == 0) return Task.CompletedTask;
            _idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _idle.Task;
        }
    }

    /// <inheritdoc/>
    public void Sign(ZoneSlot slot, in ZoneVersionChange source, DateTimeOffset? now)
    {
        // A claim that waits for another is signed when it is served.
        if (_registry is { } registry && registry.Find(slot.Name) is { } served && !ReferenceEquals(served, slot))
            return;
        DnssecPolicy? policy = PolicyOf(slot);
        if (policy is null && slot.Policy?.Dnssec is { } name)
        {
            slot.FailSigning(new UnsignedFailure($"there is no DNSSEC policy {name}"), now);
            return;
        }
        if (policy is not null)
        {
            _left.TryRemove(slot.Name, out _);
            _elsewhere.TryRemove(slot.Name, out _);
        }
        else if (!Keeps(slot, source.Now) || IsSignedElsewhere(slot, source.Now))
        {
            slot.EndSigning(now);
            return;
        }
        SignedZone zone = _zones.GetOrAdd(slot.Name, _ => new SignedZone(slot, policy, this));
        if (!ReferenceEquals(zone.Slot, slot))
        {
            Forget(zone);
            zone = _zones.GetOrAdd(slot.Name, _ => new SignedZone(slot, policy, this));
        }
        zone.Use(policy);
        zone.Take(in source);
    }

    /// <inheritdoc/>
    public bool Keeps(ZoneSlot slot, Zone? version) =>
        slot.Policy is not { IsUnsignedAtOnce: true } && !_left.ContainsKey(slot.Name) &&
        !(version is { HasSignedSoa: true } && _elsewhere.ContainsKey(slot.Name) && !HasFile(slot)) &&
        (Keys.HasState(slot.Name) || Kept.Has(slot.Name));

    /// <summary>
    /// Whether a secondary without a policy is signed by its primary with one of the keys that are here, a copy of
    /// which that one has: signing it here would ask its parent to remove DS records that are needed. It stays so while
    /// the source has signatures, also of other keys. Signatures prove no copy, as they are public: a source that has
    /// none any more is signed here again. The signatures of a file may be old ones, which came with a copy of the
    /// signed zone.
    /// </summary>
    private bool IsSignedElsewhere(ZoneSlot slot, Zone source)
    {
        if (HasFile(slot) || !source.HasSignedSoa)
        {
            _elsewhere.TryRemove(slot.Name, out _);
            return false;
        }
        try
        {
            ZoneKeys keys = Keys.Load(slot.Name);
            if (!keys.IsElsewhere && !IsSignedWith(keys, slot.Name, source)) return false;
            _elsewhere[slot.Name] = true;
            Release(slot);
            if (!keys.IsElsewhere && Handover.MayWrite)
                Keys.Save(slot.Name, Keys.Load(slot.Name) with { IsElsewhere = true });
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Keys that cannot be read are reported when the zone is signed; what is not written is found again.
            if (!_elsewhere.ContainsKey(slot.Name)) return false;
        }
        Observer.OnSignedElsewhere(slot.Name, isServed: true);
        return true;
    }

    private static bool HasFile(ZoneSlot slot) => slot.Source?.OriginOf(slot).Path is not null;

    private bool IsSignedWith(ZoneKeys keys, DomainName zone, Zone source)
    {
        KeyIds signers = ApexRecords.SignersOf(source, RRType.DNSKEY, Now);
        if (keys.Keys.Any(key => key.IsPublished && signers.Contains(key.Id))
            && ApexRecords.SignersOf(source, RRType.SOA, Now).Count > 0) return true;
        if (signers.Count > 0 && keys.Keys.Any(key => key.IsPublished) && _foreign.TryAdd(zone, true))
            Observer.OnSignedElsewhere(zone, isServed: false);
        return false;
    }

    /// <inheritdoc/>
    public void Release(ZoneSlot slot)
    {
        if (_zones.TryGetValue(slot.Name, out SignedZone? zone) && ReferenceEquals(zone.Slot, slot)) Forget(zone);
    }

    /// <summary>Stops, and writes all unsaved versions. Later calls change nothing.</summary>
    public void Dispose()
    {
        _stopping.Cancel();
        Schedule.Dispose();
        foreach (SignedZone zone in _zones.Values) SaveAndEnd(zone);
        if (Handover.MayWrite) Kept.Close(_released);
    }

    internal void Queue(SignedZone zone)
    {
        lock (_gate)
        {
            if (zone.IsQueued || _stopping.IsCancellationRequested) return;
            zone.IsQueued = true;
            _waiting.Enqueue(zone);
            if (_running >= Options.Zones) return;
            _running++;
        }
        Options.Start(RunWaiting);
    }

    private void QueueAll()
    {
        foreach (SignedZone zone in _zones.Values) Queue(zone);
    }

    internal void QueueSaving(SignedZone zone)
    {
        lock (_gate)
        {
            _unsaved.Add(zone);
            if (_isSaving || _stopping.IsCancellationRequested) return;
            _isSaving = true;
        }
        Options.Start(SaveWaiting);
    }

    internal void OnParentNotifying(ZoneSlot slot, PeerAddress resolver) => ParentNotifying?.Invoke(slot, resolver);

    internal void OnRestored(ZoneSlot slot, Zone saved, IReadOnlyList<ZoneDelta> deltas) =>
        Restored?.Invoke(slot, saved, deltas);

    private void RunDue()
    {
        if (IsClockSet())
            foreach (SignedZone zone in _zones.Values) zone.OnClockSet();
        foreach (SignedZone zone in Schedule.Take()) Queue(zone);
    }

    private void RunWaiting()
    {
        while (true)
        {
            SignedZone? zone;
            lock (_gate)
            {
                if (_stopping.IsCancellationRequested || !_waiting.TryDequeue(out zone))
                {
                    if (--_running > 0) return;
                    _idle?.TrySetResult();
                    _idle = null;
                    return;
                }
                zone.IsQueued = false;
            }
            try
            {
                zone.Run(_stopping.Token);
            }
            catch (Exception error)
            {
                // It would end the process.
                Observer.OnCrash(zone.Slot.Name, error);
            }
        }
    }

    private void SaveWaiting()
    {
        while (true)
        {
            SignedZone[] zones;
            lock (_gate)
            {
                zones = [.. _unsaved];
                _unsaved.Clear();
                if (zones.Length == 0)
                {
                    _isSaving = false;
                    return;
                }
            }
            foreach (SignedZone zone in zones)
            {
                try
                {
                    zone.Save();
                }
                catch (Exception error)
                {
                    Observer.OnCrash(zone.Slot.Name, error);
                }
            }
        }
    }

    /// <summary>Whether the wall clock was set since the last call.</summary>
    private bool IsClockSet()
    {
        (DateTimeOffset Wall, long Stamp) now = (Now, Time.GetTimestamp());
        lock (_gate)
        {
            (DateTimeOffset Wall, long Stamp)? before = _lastLook;
            _lastLook = now;
            return before is { } last
                &&
                (now.Wall - last.Wall - Time.GetElapsedTime(last.Stamp, now.Stamp)).Duration() > KeyDriver.LeastJump;
        }
    }

    private DnssecPolicy? PolicyOf(ZoneSlot slot) =>
        slot.Policy?.Dnssec is { } name ? Volatile.Read(ref _policies)(name) : null;

    private void OnChanged(ZoneRegistryChange change)
    {
        foreach (ZoneSlot slot in change.Removed)
            if (_zones.TryGetValue(slot.Name, out SignedZone? zone) && ReferenceEquals(zone.Slot, slot)) Forget(zone);
        // Zones that waited for another claim were not signed here; by now another signer may have the name.
        foreach (ZoneSlot slot in change.Added)
            if (slot is { IsSignedHere: true, SourceZone: { } source } && !_zones.ContainsKey(slot.Name))
                Sign(slot, new ZoneVersionChange(null, source, null), null);
    }

    /// <summary>Releases a zone that needs no signatures any more.</summary>
    /// <param name="behind">The serial that was served, if that of the source is not greater; else null.</param>
    internal void Leave(SignedZone zone, uint? behind = null)
    {
        _left[zone.Slot.Name] = true;
        _zones.TryRemove(new KeyValuePair<DomainName, SignedZone>(zone.Slot.Name, zone));
        zone.End();
        Handover.Admit(zone.Slot.Name);
        zone.DeleteKept();
        Schedule.Set(zone, null);
        zone.Slot.EndSigning(Now);
        if (behind is { } serial) Observer.OnLeftBehind(zone.Slot.Name, serial);
        else Observer.OnLeft(zone.Slot.Name);
    }

    private void Forget(SignedZone zone)
    {
        if (!_zones.TryRemove(new KeyValuePair<DomainName, SignedZone>(zone.Slot.Name, zone))) return;
        SaveAndEnd(zone);
        Schedule.Set(zone, null);
    }

    private void SaveAndEnd(SignedZone zone)
    {
        zone.Save();
        zone.End();
        Handover.Admit(zone.Slot.Name);
        _released[zone.Slot.Name] = zone.IsSaved;
    }

    /// <summary>Whether versions of a zone may have been served that its copy lacks.</summary>
    internal bool MayLackVersions(DomainName zone) =>
        _released.TryGetValue(zone, out bool isSaved) ? !isSaved : Kept.MayLackVersions(zone);
}
