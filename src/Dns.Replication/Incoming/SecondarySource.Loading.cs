namespace Dns.Replication.Incoming;

/// <content>Added and removed zones, and their copies on disk.</content>
public sealed partial class SecondarySource
{
    private const int LoadsAtOnce = 4;

    /// <summary>The minimum interval between stores of times.</summary>
    private static readonly TimeSpan TimesKeptFor = TimeSpan.FromSeconds(10);

    private IReadOnlyList<SecondaryZoneOptions> _wanted = [];

    /// <inheritdoc/>
    public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation)
    {
        _registry = registry;
        return UseAsync(_wanted, cancellation);
    }

    /// <summary>
    /// Changes the zones. Their names are claimed on return; when the task completes, stored copies of new zones are
    /// served, and the primaries of the rest were queried or will be. Before the start the list is kept for it.
    /// </summary>
    /// <param name="zones">The zones; names are unique.</param>
    /// <param name="cancellation">Cancels the loading of copies, since the server is stopping.</param>
    /// <returns>What was loaded from disk; faulted if the zones could not be changed and are as before.</returns>
    public async Task<ZoneLoadSummary> UseAsync(IReadOnlyList<SecondaryZoneOptions> zones,
        CancellationToken cancellation)
    {
        if (_registry is not { } registry)
        {
            _wanted = zones;
            return default;
        }
        Change(registry, zones, out List<SecondaryZone> added, out List<SecondaryZone> removed);
        ZoneLoadSummary summary = new()
        {
            Added = added.Count, Removed = removed.Count,
            RemovedBytes = removed.Sum(zone => zone.Zone?.MemoryBytes ?? 0),
        };
        foreach (SecondaryZone zone in removed) DeleteCopy(zone);
        Lock counting = new();
        try
        {
            await ForEachAsync(added, zone =>
            {
                ZoneLoadSummary one = Load(zone, cancellation);
                lock (counting) summary = summary.Plus(one);
            }).ConfigureAwait(false);
            StartDue();
        }
        catch (Exception error) when (added.Count > 0)
        {
            _observer.OnFault(added[0].Name, error);
        }
        return summary;
    }

    private void Change(
        ZoneRegistry registry, IReadOnlyList<SecondaryZoneOptions> zones, out List<SecondaryZone> added,
        out List<SecondaryZone> removed)
    {
        added = [];
        removed = [];
        lock (_changing)
        {
            Dictionary<DomainName, SecondaryZoneOptions> wanted = zones.ToDictionary(zone => zone.Name);
            foreach (SecondaryZone zone in Zones)
            {
                // The precedence of a claim cannot change. A zone is gone if its last removal failed.
                bool stays = wanted.TryGetValue(zone.Name, out SecondaryZoneOptions? options) &&
                    options.Precedence == zone.Precedence && !zone.IsGone;
                if (stays) Use(zone, options!);
                else removed.Add(zone);
            }
            foreach (SecondaryZone zone in removed) Drop(zone);
            foreach (SecondaryZoneOptions options in zones)
            {
                if (Find(options.Name) is { IsGone: false }) continue;
                added.Add(new SecondaryZone(this, options)
                {
                    Precedence = options.Precedence, AllowQuery = options.AllowQuery, Policy = options.Policy,
                    IsLoading = true,
                });
            }
            Claim(registry, removed, added);
        }
    }

    /// <summary>Changes the claims; if that fails, the next change repeats it.</summary>
    private void Claim(ZoneRegistry registry, List<SecondaryZone> removed, List<SecondaryZone> added)
    {
        try
        {
            foreach (SecondaryZone zone in added) _zones[zone.Name] = zone;
            registry.Change(this, removed, added);
        }
        catch (Exception error)
        {
            if (added.Find(zone => zone.Source is not null) is not { } claimed)
            {
                foreach (SecondaryZone zone in removed) _zones[zone.Name] = zone;
                foreach (SecondaryZone zone in added) _zones.TryRemove(new(zone.Name, zone));
                throw;
            }
            // Only a handler failed, such as one that reports the change.
            _observer.OnFault(claimed.Name, error);
        }
        foreach (SecondaryZone zone in removed) _zones.TryRemove(new(zone.Name, zone));
    }

    /// <summary>Applies new options to an existing zone.</summary>
    private void Use(SecondaryZone zone, SecondaryZoneOptions options)
    {
        (zone.AllowQuery, zone.Policy) = (options.AllowQuery, options.Policy);
        lock (_gate)
        {
            bool isElsewhere = !zone.Options.Primaries.SequenceEqual(options.Primaries);
            zone.Options = options;
            if (isElsewhere) ScheduleCheck(zone, first: 0);
        }
    }

    private void Drop(SecondaryZone zone)
    {
        CancellationTokenSource? work;
        // A concurrent publication has completed, or will find the zone removed.
        lock (zone.Publishing)
        {
            lock (_gate)
            {
                zone.IsGone = true;
                work = zone.Work;
                EndRound(zone, new TransferFailure(TransferFailureKind.Cancelled, "the zone is no longer served"));
            }
        }
        try
        {
            work?.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The transfer has just ended.
        }
    }

    /// <summary>Serves the stored copy of a zone, and schedules its first refresh.</summary>
    private ZoneLoadSummary Load(SecondaryZone zone, CancellationToken cancellation)
    {
        try
        {
            return TryLoad(zone, out ZoneCopy? copy, cancellation) ? Restore(zone, copy) : default;
        }
        catch (Exception error)
        {
            _observer.OnFault(zone.Name, error);
            lock (_gate) zone.NeedsAnotherCheck = true;
            return default;
        }
        finally
        {
            EndLoading(zone);
        }
    }

    private bool TryLoad(SecondaryZone zone, [NotNullWhen(true)] out ZoneCopy? copy, CancellationToken cancellation)
    {
        copy = null;
        try
        {
            bool isThere = _copies.TryLoad(zone.Name, _options.ZoneLimits, out copy, out CopyDamage? damage, cancellation);
            if (damage is not null)
            {
                _observer.OnCopyBroken(zone.Name, damage.ToString(), isThere ? copy!.Zone.Serial : null);
                // The times are those of a version that is lost.
                lock (_gate) zone.NeedsAnotherCheck = true;
            }
        }
        catch (OperationCanceledException)
        {
            // The server is stopping. A version that is transferred now could be older than the copy.
            lock (_gate)
            {
                zone.NeedsAnotherCheck = false;
                EndRound(zone, new TransferFailure(TransferFailureKind.Cancelled, "the server is stopping"));
            }
            return false;
        }
        if (copy is not null) return true;
        lock (_gate) zone.NeedsAnotherCheck = true;
        return false;
    }

    /// <summary>Starts the refresh that was requested while the copy was read.</summary>
    private void EndLoading(SecondaryZone zone)
    {
        bool isGone;
        lock (_gate)
        {
            (zone.IsLoading, isGone) = (false, zone.IsGone);
            if (zone.NeedsAnotherCheck) ScheduleCheck(zone, zone.NextPrimary);
        }
        if (isGone) DeleteCopy(zone);
    }

    /// <summary>Deletes the copy of a removed zone whose name is not in use again.</summary>
    private void DeleteCopy(SecondaryZone zone)
    {
        // The end of the loading deletes it.
        lock (_gate)
            if (zone.IsLoading) return;
        if (!_zones.ContainsKey(zone.Name)) _copies.Delete(zone.Name);
    }

    private ZoneLoadSummary Restore(SecondaryZone zone, ZoneCopy copy)
    {
        Serve(zone, copy);
        // Without a failure, a zone that is signed here waits for its signed version.
        if (zone.SourceZone is null || zone is { Zone: null, Failure: not null })
            return new ZoneLoadSummary(0, 1, 0, 0);
        return new ZoneLoadSummary(1, 0, copy.Zone.RecordCount, copy.Zone.MemoryBytes);
    }

    private void Serve(SecondaryZone zone, ZoneCopy copy)
    {
        DateTimeOffset now = _clock.Provider.GetUtcNow();
        SoaTimers times = SoaTimers.Of(copy.Zone, zone.Options.MinRefresh);
        // The wall clock may have been set: never longer than the version may be served.
        DateTimeOffset since = copy.Times.ConfirmedAt < now ? now : copy.Times.ConfirmedAt;
        TimeSpan left = Shorter(copy.Times.ExpiresAt - since, times.Expire);
        TimeSpan wait = Shorter(copy.Times.RefreshAt - now, times.Refresh);
        lock (zone.Publishing)
        {
            lock (_gate)
            {
                // Never an older version over a newer one, although no transfer starts while the copy is read.
                if (zone.IsGone || zone.Held is not null) return;
                zone.Held = copy.Zone;
                zone.ConfirmedAt = copy.Times.ConfirmedAt;
                zone.ExpiresDue = _clock.Now + Math.Max(0, left.Ticks);
                zone.RefreshDue = _clock.Now + Math.Max(0, wait.Ticks);
                Plan(zone);
            }
            if (left > TimeSpan.Zero) Publish(zone, copy.Zone, now);
            else Expire(zone, copy.Zone, now);
            if (copy.Deltas.Count > 0 && ReferenceEquals(zone.Zone, copy.Zone)) Restored?.Invoke(zone, copy.Deltas);
        }
    }

    /// <summary>
    /// Raised once a zone was loaded with deltas, from which IXFR can continue; under its lock, so that no version is
    /// published meanwhile.
    /// </summary>
    public event Action<ZoneSlot, IReadOnlyList<ZoneDelta>>? Restored;

    /// <summary>Stores the times of a zone if they have changed.</summary>
    private void SaveTimes(SecondaryZone zone)
    {
        ZoneCopyTimes times;
        lock (_gate)
        {
            if (zone.IsGone || zone.Held is null || zone.ConfirmedAt is null) return;
            times = TimesOf(zone);
            zone.TimesSavedAt = _clock.Now;
        }
        try
        {
            _copies.SaveTimes(zone.Name, times);
        }
        catch (IOException)
        {
            // The stored times are earlier, which is safe. A full disk is reported with the next version.
        }
    }

    private ZoneCopyTimes TimesOf(SecondaryZone zone)
    {
        DateTimeOffset now = _clock.Provider.GetUtcNow();
        long ticks = _clock.Now;
        return new ZoneCopyTimes(zone.ConfirmedAt ?? now, At(zone.RefreshDue), At(zone.ExpiresDue));

        DateTimeOffset At(long due) => due == long.MaxValue ? now : now.AddTicks(due - ticks);
    }

    private Task ForEachAsync(List<SecondaryZone> zones, Action<SecondaryZone> load)
    {
        int next = -1;
        Task[] workers = [.. Enumerable.Range(0, Math.Min(LoadsAtOnce, zones.Count)).Select(_ =>
        {
            TaskCompletionSource done = new();
            _run(() =>
            {
                for (int i; (i = Interlocked.Increment(ref next)) < zones.Count;) load(zones[i]);
                done.TrySetResult();
            });
            return done.Task;
        })];
        return Task.WhenAll(workers);
    }

    private readonly Lock _changing = new();

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) => one < other ? one : other;
}
