using Dns.Protocol;
using Dns.Providers;
using Dns.Zones;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>
/// Changes zones while they are served, for whoever asks for it: the watch over their files, a signal, the operator.
/// Everything is told to the log. Thread-safe; one change waits for the other.
/// </summary>
internal sealed class ZoneReloading(
    MasterFileProvider provider, ZoneSources sources, MemoryRelease memory, ServiceReports reports, TimeProvider clock,
    ILogger<ZoneReloading> logger)
{
    private readonly HashSet<string> _told = [];

    /// <summary>Whether the first loading is over; changes before that would wait for it.</summary>
    public bool IsLoaded => Loaded.Task.IsCompletedSuccessfully;

    /// <summary>Ends with the first loading.</summary>
    public TaskCompletionSource Loaded { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>
    /// Held by whoever lists all zones and then makes them so: what is added or removed by hand meanwhile would be undone.
    /// </summary>
    public Lock Listing { get; } = new();

    /// <summary>Told after each change that directories may matter which did not before.</summary>
    public event Action? Changed;

    /// <summary>Reads the files of some zones again.</summary>
    public ZoneLoadSummary Reload(IReadOnlyCollection<DomainName> zones, CancellationToken cancellation)
    {
        ZoneLog log = new(logger, clock, zones.Count) { IsReload = true };
        ZoneLoadSummary summary = provider.Reload(zones, log, cancellation);
        End(log, summary);
        return summary;
    }

    /// <summary>
    /// Lists the directories anew: files that have come and gone, and with <see cref="ZoneUpdate.ReadsChanged"/> those
    /// that have changed.
    /// </summary>
    /// <remarks>Where a directory cannot be read, no zone is taken away.</remarks>
    public ZoneUpdateResult ListDirectories(ZoneUpdate update, CancellationToken cancellation)
    {
        ZoneLog log = new(logger, clock, provider.ZoneCount) { IsReload = true };
        return Finish(log, update, provider.UpdateDirectories(List, update, log, cancellation));

        ZoneListing List(KnownZoneFile isKnown)
        {
            ZoneExpansion found = sources.ExpandDirectories(isKnown);
            foreach (SettingProblem problem in found.Problems) TellOnce(problem.Message);
            foreach (string line in found.Unnamed) TellOnce(line);
            foreach (string line in found.Odd) TellOnce(line, isError: false);
            if (found.Problems.Count + found.Unnamed.Count + found.Odd.Count == 0) lock (_told) _told.Clear();
            return new ZoneListing(found.Files, found.IsIncomplete);
        }
    }

    /// <summary>Makes the zones those of a whole list.</summary>
    public ZoneUpdateResult Update(IReadOnlyList<ZoneFile> files, ZoneUpdate update, CancellationToken cancellation)
    {
        ZoneLog log = new(logger, clock, files.Count) { IsReload = true };
        return Finish(log, update, provider.Update(files, update, log, cancellation));
    }

    /// <summary>Reads the files that an update of a whole list would read, and changes nothing.</summary>
    /// <param name="files">The list.</param>
    /// <param name="found">What the update would do.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    public BrokenZones Try(IReadOnlyList<ZoneFile> files, ZoneUpdateResult found, CancellationToken cancellation)
    {
        HashSet<DomainName> read = [.. found.Added, .. found.Changed];
        BrokenZones broken = new();
        // On one thread: the server goes on answering, and nobody waits for the zones.
        ZoneFileReading.Read([.. files.Where(file => read.Contains(file.Zone))], 1, broken, cancellation, limits: provider.Limits);
        return broken;
    }

    /// <summary>
    /// Serves another zone, or an added zone from another file, and keeps that. A zone of the settings keeps their file. With errors in
    /// the file everything stays as it is.
    /// </summary>
    /// <returns>Those errors; none if the zone is served.</returns>
    /// <exception cref="ControlException">The settings have another file for the zone.</exception>
    /// <exception cref="IOException">It cannot be kept; nothing has changed.</exception>
    public BrokenZones Add(ZoneFile file, CancellationToken cancellation)
    {
        lock (Listing)
        {
            ZoneFile? served = provider.Find(file.Zone)?.File, removed = sources.RemovedFile(file.Zone);
            bool isOfSettings = served is { } now ? !sources.IsAdded(now) : removed is not null;
            if (isOfSettings && (served ?? removed)!.Value.Path is var theirs && theirs != file.Path)
                throw new ControlException($"zone {file.Zone} is in the settings, with {theirs}: that file wins, nothing has changed");
            file = isOfSettings ? (served ?? removed)!.Value : sources.ForItsClients(file with { IsNamed = true });
            ZoneLog log = new(logger, clock, 1) { IsReload = true };
            BrokenZones broken = new(log);
            ZoneLoadSummary summary = provider.Add(file, broken, cancellation);
            if (summary.Loaded == 0) return broken;
            Keep(() => { if (isOfSettings) sources.Restore(file.Zone); else sources.Add(file); }, file.Zone, served);
            End(log, summary);
            return broken;
        }
    }

    /// <summary>Writes down what was done; undoes it where that is not possible.</summary>
    private void Keep(Action keep, DomainName zone, ZoneFile? before)
    {
        try
        {
            keep();
        }
        catch (IOException)
        {
            if (before is { } file) provider.Add(file, new BrokenZones(), CancellationToken.None);
            else provider.Remove(zone);
            throw;
        }
    }

    /// <summary>Serves a zone no more, and keeps that.</summary>
    /// <returns>False if there is no such zone.</returns>
    /// <exception cref="IOException">It cannot be kept; nothing has changed.</exception>
    public bool Remove(DomainName zone)
    {
        lock (Listing)
        {
            if (provider.Find(zone) is not { } served) return false;
            sources.Remove(served.File);
            ZoneLoadSummary summary = provider.Remove(zone);
            memory.OnChanged(summary);
            logger.ZoneRemoved(zone);
            return true;
        }
    }

    private ZoneUpdateResult Finish(ZoneLog log, ZoneUpdate update, ZoneUpdateResult result)
    {
        foreach (string conflict in result.Conflicts) TellOnce(conflict);
        if (update.IsTrial) return result;
        log.OnRemoved(result.Removed);
        End(log, result.Summary);
        return result;
    }

    private void End(ZoneLog log, ZoneLoadSummary summary)
    {
        if (summary is { Loaded: 0, Failed: 0, Added: 0, Removed: 0 }) return;
        log.OnReloaded(summary);
        memory.OnChanged(summary);
        reports.OnChanged(provider);
        Changed?.Invoke();
    }

    /// <summary>Logs what is wrong with a directory once, not each time that the directory is looked at.</summary>
    private void TellOnce(string line, bool isError = true)
    {
        lock (_told)
            if (!_told.Add(line)) return;
        if (isError) logger.ZoneDirectoryProblem(line);
        else logger.ZoneNameOdd(line);
    }
}
