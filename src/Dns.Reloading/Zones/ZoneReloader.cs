using Microsoft.Extensions.Logging;

namespace Dns.Reloading.Zones;

/// <summary>
/// Changes zones at runtime, for the file watcher, a signal, and the operator. Everything is logged. Thread-safe.
/// Comparisons are done at once; no request waits for the reading of another's zones.
/// </summary>
public sealed class ZoneReloader(
    ZoneSourceSet all, ConfiguredZones configured, ZoneStatusReader status, MemoryRelease memory,
    IReloadObserver observer, TimeProvider clock, ILogger<ZoneReloader> logger)
{
    private readonly HashSet<string> _logged = [];

    /// <summary>Whether the first loading is complete.</summary>
    public bool IsLoaded => Loaded.Task.IsCompletedSuccessfully;

    /// <summary>Completes with the first loading.</summary>
    public TaskCompletionSource Loaded { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>
    /// Held while all zones are listed and compared: changes by command meanwhile would be undone. Never held while a
    /// zone is read.
    /// </summary>
    public Lock ScanLock { get; } = new();

    /// <summary>Limits of a name.</summary>
    public ZoneLimits Limits => all.OfSettings.Limits;

    /// <summary>Raised after each comparison: directories to watch may have been added or replaced.</summary>
    public event Action? Changed;

    /// <summary>Reloads some zones of any source.</summary>
    public async Task<ZoneLoadSummary> ReloadAsync(IReadOnlyCollection<DomainName> zones,
        CancellationToken cancellation)
    {
        ZoneLog log = new(logger, clock, () => zones.Count) { IsReload = true };
        ZoneLoadSummary[] loads = await Task.WhenAll(
            all.All.Select(source => source.ReloadAsync(zones, log, cancellation))).ConfigureAwait(false);
        ZoneLoadSummary summary = loads.Aggregate(static (sum, one) => sum.Plus(one));
        End(log, summary);
        return summary;
    }

    /// <summary>
    /// Lists the directories again: added and removed files, and with <see cref="ZoneUpdate.ReadsChanged"/> changed
    /// ones, compared when the call returns and read when the task completes. If a directory is unreadable, no zone is
    /// removed.
    /// </summary>
    public Task ListDirectoriesAsync(ZoneUpdate update, CancellationToken cancellation)
    {
        ZoneLog log = new(logger, clock, () => all.FileCount) { IsReload = true };
        Task<ZoneUpdateResult> ofSettings, ofCommands;
        lock (ScanLock)
        {
            ofSettings = all.OfSettings.UpdateDirectoriesAsync(List, update, log, cancellation);
            ofCommands = update.ReadsChanged
                ? all.OfCommands.UpdateAsync(configured.Added, update, log, cancellation)
                : Task.FromResult(ZoneUpdateResult.None);
        }
        return FinishAsync(log, update, ofSettings, ofCommands);

        ZoneFileList List(KnownZoneFile isKnown)
        {
            ZoneExpansion found = configured.ExpandDirectories(isKnown);
            foreach (SettingDiagnostic problem in found.Problems) LogOnce(problem.Message);
            foreach (string line in found.Unnamed) LogOnce(line);
            foreach (string line in found.Conflicts) LogOnce(line);
            foreach (string line in found.NameWarnings) LogOnce(line, isError: false);
            if (found.Problems.Count + found.Unnamed.Count + found.Conflicts.Count + found.NameWarnings.Count == 0)
            {
                lock (_logged) _logged.Clear();
            }
            return new ZoneFileList(found.Files, found.IsIncomplete);
        }
    }

    /// <summary>Replaces the lists of zones: compared when the call returns, read when the task completes.</summary>
    public Task<ZoneUpdateResult> UpdateAsync(ZoneExpansion zones, ZoneUpdate update, CancellationToken cancellation)
    {
        ZoneLog log = new(logger, clock, () => zones.OfSettings.Count + zones.OfCommands.Count) { IsReload = true };
        return FinishAsync(
            log, update, all.OfSettings.UpdateAsync(zones.OfSettings, update, log, cancellation),
            all.OfCommands.UpdateAsync(zones.OfCommands, update, log, cancellation));
    }

    /// <summary>Reads the files that a replacement of the lists would read, and changes nothing.</summary>
    public BrokenZones Try(IReadOnlyList<ZoneFile> files, ZoneUpdateResult found, CancellationToken cancellation)
    {
        HashSet<DomainName> read = [.. found.Added, .. found.Changed];
        BrokenZones broken = new()
        {
            FindConflict = all.OfSettings.Overlay is { } overlay ? overlay.FindConflict : null,
        };
        // On one thread, since the server continues to answer and no query waits for the zones.
        ZoneFileReading.Read([.. files.Where(file => read.Contains(file.Zone))], 1, broken, cancellation,
            limits: Limits);
        return broken;
    }

    /// <summary>
    /// Adds a zone, or changes the file of an added zone, and saves that. A zone of the settings keeps its file. With
    /// errors in the file nothing changes.
    /// </summary>
    /// <returns>Those errors; none if the zone is served.</returns>
    /// <exception cref="OperationException">The settings have another file for the zone.</exception>
    /// <exception cref="IOException">It cannot be saved; nothing has changed.</exception>
    public BrokenZones Add(ZoneFile file, CancellationToken cancellation)
    {
        bool isOfSettings = IsOfSettings(file, out ZoneFile wanted);
        ZoneLog log = new(logger, clock, () => 1) { IsReload = true };
        HeldResult held = new(log);
        BrokenZones broken = new(held);
        IZoneFiles source = isOfSettings ? all.OfSettings : all.OfCommands;
        ZoneLoadSummary summary;
        bool isAdded = false;
        try
        {
            ReadZone read = source.ReadAsync(wanted, broken, cancellation).GetAwaiter().GetResult();
            if (!read.IsGood) return broken;
            lock (ScanLock)
            {
                if (IsOfSettings(file, out ZoneFile now) != isOfSettings || now.Path != wanted.Path)
                    throw new OperationException(OperationError.Rejected,
                        $"zone {file.Zone} has changed meanwhile: try again");
                if (isOfSettings) configured.Restore(file.Zone);
                else configured.Add(wanted);
                summary = source.Add(read);
            }
            isAdded = true;
        }
        finally
        {
            if (!isAdded) source.Overlay?.Abandon(file.Zone);
        }
        held.Release();
        End(log, summary);
        return broken;
    }

    /// <summary>Whether a file is the one in the settings of its zone, and its options.</summary>
    private bool IsOfSettings(ZoneFile file, out ZoneFile wanted)
    {
        ZoneFile? theirs = all.OfSettings.FileOf(file.Zone) ?? configured.RemovedFile(file.Zone);
        wanted = configured.ForItsClients(file with { IsNamed = true });
        if (theirs is not { } found) return false;
        if (found.Path == file.Path)
        {
            wanted = found;
            return true;
        }
        throw new OperationException(
            OperationError.Rejected,
            $"zone {file.Zone} is in the settings, with {found.Path}: that file wins, nothing has changed");
    }

    /// <summary>Removes a zone, from either file source, and saves that.</summary>
    /// <exception cref="IOException">It cannot be saved; nothing has changed.</exception>
    public bool Remove(DomainName zone)
    {
        ZoneLoadSummary summary;
        lock (ScanLock)
        {
            if ((all.OfSettings.FileOf(zone) ?? all.OfCommands.FileOf(zone)) is not { } file) return false;
            configured.Remove(file);
            summary = all.OfSettings.Remove(zone).Plus(all.OfCommands.Remove(zone));
        }
        memory.OnChanged(summary);
        logger.ZoneRemoved(zone);
        return true;
    }

    private async Task<ZoneUpdateResult> FinishAsync(
        ZoneLog log, ZoneUpdate update, Task<ZoneUpdateResult> ofSettings, Task<ZoneUpdateResult> ofCommands)
    {
        ZoneUpdateResult result = (await ofSettings.ConfigureAwait(false)).Plus(await ofCommands.ConfigureAwait(false));
        foreach (string conflict in result.Conflicts) LogOnce(conflict);
        if (update.IsTrial) return result;
        log.OnRemoved(result.Removed);
        End(log, result.Summary);
        return result;
    }

    private void End(ZoneLog log, ZoneLoadSummary summary)
    {
        if (summary is not { Loaded: 0, Failed: 0, Added: 0, Removed: 0 })
        {
            log.OnReloaded(summary);
            memory.OnChanged(summary);
            observer.OnChanged(status);
        }
        // Also without a change: a symlink may lead to another directory with the same files.
        Changed?.Invoke();
    }

    /// <summary>Logs the result for a zone once it is saved: it is not served if that fails.</summary>
    private sealed class HeldResult(IZoneLoadObserver log) : IZoneLoadObserver
    {
        private Action? _result;

        public void Release() => _result?.Invoke();

        public void OnProgress(DomainName zone, string origin, long records) => log.OnProgress(zone, origin, records);

        public void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before) =>
            _result += () => log.OnRead(zone, origin, result, before);

        public void OnValidAgain(DomainName zone, string origin, Zone served) =>
            _result += () => log.OnValidAgain(zone, origin, served);

        public void OnCrash(DomainName zone, string origin, Exception error) => log.OnCrash(zone, origin, error);
    }

    /// <summary>Logs an error of a directory once, instead of at each listing.</summary>
    private void LogOnce(string line, bool isError = true)
    {
        lock (_logged)
            if (!_logged.Add(line)) return;
        if (isError) logger.ZoneDirectoryProblem(line);
        else logger.ZoneNameUnusual(line);
    }
}
