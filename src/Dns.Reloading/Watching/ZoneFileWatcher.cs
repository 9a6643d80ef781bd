using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Reloading.Watching;

/// <summary>Reloads changed zone files: waits for events of their directories, or polls if there are none.</summary>
public sealed class ZoneFileWatcher : IHostedService, IDisposable
{
    /// <summary>The default polling interval without events.</summary>
    internal static readonly TimeSpan DefaultInterval = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan AfterException = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ClockTick = TimeSpan.FromMilliseconds(20);

    private readonly ZoneSourceSet _all;
    private readonly ConfiguredZones _configured;
    private readonly ZoneReloader _reloading;
    private readonly TimeProvider _clock;
    private readonly ILogger<ZoneFileWatcher> _logger;
    private readonly IExceptionSink _exceptions;
    private readonly PendingChanges _pending;
    private readonly ZonePolling _polling;
    private readonly CancellationTokenSource _stopping = new();
    private readonly HashSet<string> _missing = [];

    private readonly IDirectoryWatcher _watcher;
    private TimeSpan _interval;
    private int _watched;
    private Thread? _thread;
    private volatile bool _directoriesMayDiffer;
    private volatile bool _hasFailed;
    private bool _hasLookedBack;

    /// <summary>Starts watching; changes have no effect before <see cref="StartAsync"/>.</summary>
    public ZoneFileWatcher(
        ZoneSourceSet all, ConfiguredZones configured, ZoneReloader reloading, ReloadOptions options,
        TimeProvider clock, ILogger<ZoneFileWatcher> logger, Func<IDirectoryWatcher>? open = null,
        IExceptionSink? exceptions = null)
    {
        _exceptions = exceptions ?? IExceptionSink.None;
        (_all, _configured, _reloading, _clock, _logger) = (all, configured, reloading, clock, logger);
        _pending = new PendingChanges(clock);
        _polling = new ZonePolling(reloading, clock, Follow);
        _interval = TimeSpan.FromSeconds(options.PollSeconds);
        _watcher = !options.Watch ? new NullDirectoryWatcher() : open is not null ? open() : Open();
        WatchDirectories();
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _reloading.Changed += OnChanged;
        _reloading.Loaded.Task.ContinueWith(
            _ => _watcher.Wake(), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        _thread = new Thread(Run) { IsBackground = true, Name = "zone watch" };
        _thread.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        _stopping.Cancel();
        _watcher.Wake();
        // Loading stops within a few thousand records.
        return Task.Run(() => _thread?.Join(TimeSpan.FromSeconds(2)), CancellationToken.None);
    }

    public void Dispose()
    {
        _stopping.Dispose();
        // If a thread is still in a read, the watcher is left to the end of the process.
        if (_thread is null or { IsAlive: false }) _watcher.Dispose();
    }

    /// <summary>Reads in the background. An exception is reported, and everything is listed again.</summary>
    private void Follow(Task reading) => reading.ContinueWith(
        ended =>
        {
            _exceptions.Report(ReloadLoops.ZoneWatch, ended.Exception!.InnerException!, default);
            _hasFailed = true;
            _watcher.Wake();
        },
        CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);

    private void OnChanged()
    {
        _directoriesMayDiffer = true;
        _watcher.Wake();
    }

    private void Run()
    {
        try
        {
            List<DirectoryChange> changes = [];
            while (!_stopping.IsCancellationRequested)
            {
                Turn(changes);
            }
        }
        catch (OperationCanceledException)
        {
            // The server stops.
        }
    }

    /// <summary>After an unexpected exception, everything is listed again, a little later.</summary>
    private void Turn(List<DirectoryChange> changes)
    {
        try
        {
            _watcher.Wait(changes, TimeToWait());
            if (!_hasLookedBack && _reloading.IsLoaded)
            {
                _hasLookedBack = true;
                if (MayHaveMissed()) _pending.RequestScan(isThorough: true);
            }
            if (_hasFailed) _pending.RequestScan(isThorough: true);
            _hasFailed = false;
            foreach (DirectoryChange change in changes) Take(change);
            changes.Clear();
            Step();
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            _exceptions.Report(ReloadLoops.ZoneWatch, error, default);
            changes.Clear();
            _pending.RequestScan(isThorough: true);
            _stopping.Token.WaitHandle.WaitOne(AfterException);
        }
    }

    /// <summary>Whether events may have been missed between listing or reading and the start of the watch.</summary>
    private bool MayHaveMissed()
    {
        // Directories of included files, and link targets, are only known now.
        int watched = _watched;
        WatchDirectories();
        DateTime listed = _configured.ListedAt.UtcDateTime - ClockTick;
        return _watched > watched
            ||
            (_watcher is not NullDirectoryWatcher &&
                _configured.Directories.Any(zone => Directory.GetLastWriteTimeUtc(zone.Path!) >= listed));
    }

    private TimeSpan TimeToWait()
    {
        TimeSpan rest = _pending.Rest, poll = _missing.Count > 0 ? DefaultInterval : _interval;
        if (poll == TimeSpan.Zero) return rest;
        return rest == Timeout.InfiniteTimeSpan || rest > poll ? poll : rest;
    }

    private void Take(DirectoryChange change)
    {
        switch (change.Kind)
        {
            case DirectoryChangeKind.Written:
                _pending.AddWritten(change.Directory, change.FileName);
                break;
            case DirectoryChangeKind.Vanished:
                _pending.AddVanished(change.Directory, change.FileName);
                break;
            case DirectoryChangeKind.Appeared when IsLinkOrDirectory(change.Directory, change.FileName):
                _pending.RequestScan(isThorough: true);
                break;
            case DirectoryChangeKind.DirectoryGone:
                _directoriesMayDiffer = true;
                _pending.RequestScan(isThorough: true);
                break;
            case DirectoryChangeKind.Overflow:
                _logger.TooManyChanges();
                _pending.RequestScan(isThorough: true);
                break;
        }
    }

    private static bool IsLinkOrDirectory(string directory, string fileName)
    {
        string path = Path.Join(directory, fileName);
        return Directory.Exists(path) || new FileInfo(path).LinkTarget is not null;
    }

    private void Step()
    {
        HashSet<DomainName> zones = [];
        foreach ((string directory, string fileName) in _pending.TakeWritten())
        {
            if (_all.FindTouched(directory, fileName, zones)) continue;
            // A link was renamed into place: its target may have other files, without events of their own.
            bool leadsElsewhere = IsLinkOrDirectory(directory, fileName);
            if (leadsElsewhere || _configured.IsZoneFile(directory, fileName)) _pending.RequestScan(leadsElsewhere);
        }
        foreach ((string directory, string fileName) in _pending.TakeVanished()) Miss(directory, fileName, zones);
        if (zones.Count > 0) Follow(_reloading.ReloadAsync(zones, _stopping.Token));
        if (_pending.TakeScan(out bool isThorough))
        {
            long began = _clock.GetTimestamp();
            Follow(_reloading.ListDirectoriesAsync(new ZoneUpdate { ReadsChanged = isThorough }, _stopping.Token));
            _pending.OnListed(_clock.GetElapsedTime(began));
        }
        if (_interval > TimeSpan.Zero) _polling.Step(_interval, _stopping.Token);
        if (_directoriesMayDiffer || _missing.Count > 0) WatchDirectories();
    }

    /// <summary>A missing zone file or included file is read again, which reports it.</summary>
    private void Miss(string directory, string fileName, HashSet<DomainName> zones)
    {
        string path = Path.Join(directory, fileName);
        if (File.Exists(path)) return;
        if (_configured.IsZoneFile(directory, fileName)) _pending.RequestScan(isThorough: false);
        List<DomainName> touched = [];
        _all.FindTouched(directory, fileName, touched);
        foreach (DomainName zone in touched)
            if (_all.ServedFile(zone) is { } file && (file.IsNamed || file.Path != path)) zones.Add(zone);
    }

    private void WatchDirectories()
    {
        _directoriesMayDiffer = false;
        string[] directories = [.. _all.Directories.Union(_configured.Directories.Select(zone => zone.Path!))];
        _watched = directories.Length;
        foreach (string directory in directories)
        {
            WatchOutcome outcome = _watcher.Watch(directory, out string problem);
            if (outcome == WatchOutcome.OutOfWatches)
            {
                PollInstead(
                    $"the system watches no more directories for this user ({problem}; see " +
                        $"fs.inotify.max_user_watches)");
                return;
            }
            bool isThere = outcome is WatchOutcome.Watched or WatchOutcome.Replaced;
            if (outcome == WatchOutcome.Replaced) _pending.RequestScan(isThorough: true);
            if (isThere && _missing.Remove(directory))
            {
                _logger.DirectoryWatchedAgain(directory);
                _pending.RequestScan(isThorough: true);
            }
            else if (!isThere && _missing.Add(directory))
                _logger.DirectoryNotWatched(directory, problem);
        }
    }

    private IDirectoryWatcher Open()
    {
        string problem = "this system does not tell when a file is closed";
        if (OperatingSystem.IsLinux() && InotifyWatcher.TryCreate(out problem) is { } watcher) return watcher;
        PollInstead(problem);
        return new NullDirectoryWatcher();
    }

    /// <summary>Polls from now on. Logged once.</summary>
    private void PollInstead(string why)
    {
        if (_interval > TimeSpan.Zero) return;
        _interval = DefaultInterval;
        _logger.Polling(_interval.TotalSeconds, why);
    }
}
