namespace Dns.Replication.Incoming;

/// <content>Added and removed zones.</content>
public sealed partial class SecondarySource
{
    private const int LoadsAtOnce = 4;

    private readonly Lock _changing = new();
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
        foreach (SecondaryZone zone in removed) _versions.DeleteCopy(zone);
        Lock counting = new();
        try
        {
            await ForEachAsync(added, zone =>
            {
                ZoneLoadSummary one = _versions.Load(zone, cancellation);
                lock (counting) summary = summary.Plus(one);
            }).ConfigureAwait(false);
            _rounds.StartDue();
        }
        catch (Exception error) when (added.Count > 0)
        {
            _context.Observer.OnFault(added[0].Name, error);
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
            foreach (SecondaryZone zone in added) _context.Zones[zone.Name] = zone;
            registry.Change(this, removed, added);
        }
        catch (Exception error)
        {
            if (added.Find(zone => zone.Source is not null) is not { } claimed)
            {
                foreach (SecondaryZone zone in removed) _context.Zones[zone.Name] = zone;
                foreach (SecondaryZone zone in added) _context.Zones.TryRemove(new(zone.Name, zone));
                throw;
            }
            // Only a handler failed, such as one that reports the change.
            _context.Observer.OnFault(claimed.Name, error);
        }
        foreach (SecondaryZone zone in removed) _context.Zones.TryRemove(new(zone.Name, zone));
    }

    /// <summary>Applies new options to an existing zone.</summary>
    private void Use(SecondaryZone zone, SecondaryZoneOptions options)
    {
        (zone.AllowQuery, zone.Policy) = (options.AllowQuery, options.Policy);
        lock (_context.Gate)
        {
            bool isElsewhere = !zone.Options.Primaries.SequenceEqual(options.Primaries);
            zone.Options = options;
            if (isElsewhere) _rounds.Schedule(zone, first: 0);
        }
    }

    private void Drop(SecondaryZone zone)
    {
        CancellationTokenSource? work;
        // A concurrent publication has completed, or will find the zone removed.
        lock (zone.Publishing)
        {
            lock (_context.Gate)
            {
                zone.IsGone = true;
                work = zone.Work;
                _rounds.End(zone, new TransferFailure(TransferFailureKind.Cancelled, "the zone is no longer served"));
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
}
