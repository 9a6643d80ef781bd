namespace Dns.Providers.MasterFile;

/// <summary>
/// Publishes zones from master files: all names first, so that each configured zone answers SERVFAIL from the start,
/// then each zone as soon as its file was read; and again when files are changed, added or removed. A file with errors
/// leaves its zone with earlier data, or none, and does not affect other zones.
/// </summary>
/// <remarks>
/// Thread-safe. Comparisons with lists of files are made one at a time; files are read outside of all locks but that of
/// their own zone, by <see cref="ZoneReaders"/> that several sources may share.
/// </remarks>
public sealed partial class MasterFileSource : IZoneFiles
{
    private readonly Lock _comparing = new();
    private readonly ZoneFilePaths _paths = new();
    private readonly IncludedFiles _includes = new();
    private readonly ZoneReaders _readers;
    private readonly string _words;
    private readonly TimeProvider _clock;
    private readonly CancellationTokenSource _stopping = new();

    // New zones being read, which are claimed with their data.
    private readonly Dictionary<DomainName, FileZoneSlot> _pending = [];

    private IReadOnlyList<ZoneFile> _files;
    private volatile ZoneRegistry? _claimedIn;
    private volatile int _zoneCount;
    private int _comparison, _reading;
    private TaskCompletionSource? _idle;

    /// <summary>Creates a source for a list of files; it reads them once it is started.</summary>
    /// <param name="words">A description of zones configured by name.</param>
    /// <param name="files">The zones; names are unique.</param>
    public MasterFileSource(string words, IReadOnlyList<ZoneFile> files, ZoneReaders readers,
        TimeProvider? clock = null)
    {
        (_words, _files, _readers) = (words, files, readers);
        _clock = clock ?? TimeProvider.System;
    }

    /// <inheritdoc/>
    public ZoneLimits Limits { get; init; } = ZoneLimits.Default;

    /// <summary>The precedence of zones configured by name, unlike those found in directories.</summary>
    public ZonePrecedence Precedence { get; init; } = ZonePrecedence.Settings;

    /// <inheritdoc/>
    public IZoneOverlay? Overlay { get; init; }

    /// <inheritdoc/>
    public IZoneWriter? Writer => Overlay as IZoneWriter;

    /// <inheritdoc/>
    public int ZoneCount => _zoneCount;

    /// <inheritdoc/>
    public IReadOnlyCollection<string> Directories =>
        [.. _paths.Directories.Union(_includes.Directories).Union(_files.Select(file => file.Directory))];

    private ZoneRegistry Registry => _claimedIn ?? throw new InvalidOperationException("the source is not started");

    private IEnumerable<FileZoneSlot> Claims => _claimedIn?.ClaimsOf(this).Cast<FileZoneSlot>() ?? [];

    /// <inheritdoc/>
    public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation)
    {
        FileZoneSlot[] slots;
        lock (_comparing)
        {
            _claimedIn = registry;
            slots = [.. _files.Select(SlotFor)];
            _files = [];
            Change([], slots);
        }
        return ReadAsync(slots, observer, cancellation);
    }

    /// <inheritdoc/>
    public Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        FileZoneSlot[] slots;
        lock (_comparing) slots = [.. zones.Select(KnownSlotOf).OfType<FileZoneSlot>().Distinct()];
        return ReadAsync(slots, observer, cancellation);
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellation)
    {
        _stopping.Cancel();
        lock (_comparing)
        {
            if (_reading == 0) return Task.CompletedTask;
            _idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _idle.Task.WaitAsync(cancellation);
        }
    }

    /// <inheritdoc/>
    public ZoneFile? FileOf(DomainName zone) => SlotOf(zone) is { } slot ? FileOf(slot) : null;

    /// <inheritdoc/>
    public ZoneOrigin OriginOf(ZoneSlot slot) => slot is not FileZoneSlot of
        ? default : new ZoneOrigin(_words, FileOf(of).Path)
    {
        IsGivenByName = of.IsNamed,
    };

    private FileZoneSlot SlotFor(ZoneFile file) => SlotFor(file, isOfCommand: false);

    private FileZoneSlot SlotFor(ZoneFile file, bool isOfCommand) => new(file.Zone)
    {
        IsOfCommand = isOfCommand,
        PathNumber = _paths.NumberOf(in file),
        IsNamed = file.IsNamed,
        AllowQuery = file.AllowQuery,
        Policy = file.Policy,
        Precedence = file.IsNamed ? Precedence : ZonePrecedence.Directory,
    };

    private FileZoneSlot? SlotOf(DomainName zone) => _claimedIn?.Find(zone, this) as FileZoneSlot;

    private ZoneFile FileOf(FileZoneSlot slot) =>
        _paths.FileOf(slot.Name, slot.PathNumber) with
        {
            IsNamed = slot.IsNamed, AllowQuery = slot.AllowQuery, Policy = slot.Policy,
        };

    /// <summary>Withdraws and adds claims. Under the lock of comparisons.</summary>
    private void Change(IReadOnlyCollection<FileZoneSlot> withdrawn, IReadOnlyCollection<FileZoneSlot> claimed)
    {
        if (withdrawn.Count + claimed.Count == 0) return;
        Registry.Change(this, withdrawn, claimed);
        _zoneCount += claimed.Count - withdrawn.Count;
    }

    private async Task<ZoneLoadSummary> ReadAsync(
        IReadOnlyList<FileZoneSlot> slots, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        if (slots.Count == 0) return default;
        Totals totals = new();
        using CancellationTokenSource end =
            CancellationTokenSource.CreateLinkedTokenSource(cancellation, _stopping.Token);
        lock (_comparing) _reading++;
        try
        {
            await _readers.RunAsync(
                slots.Count,
                i =>
                {
                    // A concurrent request to read this zone reads it once more afterwards.
                    lock (slots[i])
                    {
                        // A stop may have come while another reader had the zone.
                        end.Token.ThrowIfCancellationRequested();
                        Read(slots[i], totals, observer, end.Token);
                    }
                },
                end.Token).ConfigureAwait(false);
        }
        finally
        {
            lock (_comparing)
                if (--_reading == 0) _idle?.TrySetResult();
        }
        return totals.Summary;
    }

    private void Read(FileZoneSlot slot, Totals totals, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        ZoneFile file = FileOf(slot);
        Zone? before = slot.SourceZone;
        bool wasBroken = slot.Failure is not null;
        try
        {
            ZoneLoadResult result = Load(slot, file, new ZoneFileReading.Progress(file, observer), cancellation);
            // Before the report, so that a zone reported as served is found by the next query.
            if (TryClaim(slot)) totals.CountAdded();
            totals.Count(result.Zone, isConflicting: result.Conflict is not null);
            observer.OnRead(file.Zone, file.Path, result, before);
            if (wasBroken && before is not null && slot.Failure is null && slot.SourceZone == before)
                observer.OnValidAgain(file.Zone, file.Path, before);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            totals.Count(null);
            slot.Fail(new CrashFailure(error.Message));
            try
            {
                if (TryClaim(slot)) totals.CountAdded();
            }
            finally
            {
                observer.OnCrash(file.Zone, file.Path, error);
            }
        }
    }

    private ZoneLoadResult Load(
        FileZoneSlot slot, ZoneFile file, IProgress<long> progress, CancellationToken cancellation)
    {
        string path = file.Path;
        // Before the read, so that a concurrent write is detected afterwards.
        FileStamp stamp = FileStamp.Of(path);
        ulong included = StampIncludes(slot.Includes);
        DateTimeOffset began = _clock.GetUtcNow();
        IZoneOverlay? overlay = Overlay?.Covers(slot) == true ? Overlay : null;
        // The served version may have changes that the file lacks: the overlay compares.
        Zone? served = overlay is null ? slot.SourceZone : null;
        ZoneLoadResult result =
            ZoneLoader.Load(file.Zone, path, progress, cancellation, limits: Limits, served: served);
        // The directory of a symlink's target is not watched otherwise, so the target counts as an included file.
        ushort includes =
            _includes.NumberOf(stamp.Target is { } target ? [target, .. result.Includes] : result.Includes);
        if (includes != slot.Includes) included = StampNewIncludes(includes, began);
        slot.Includes = includes;
        slot.Stamp = Join(stamp.Value, included);
        slot.IsUnsettled = stamp.ModifiedUtc + ClockTick >= began.UtcDateTime;
        if (result.Zone is not { } zone)
            slot.Fail(new FileFailure(result.Diagnostics.First(one => one.Severity == Severity.Error)), began);
        else if (overlay is not null) result = overlay.Publish(slot, result, path, began);
        else slot.Publish(zone, began, result.Delta);
        return result;
    }

    /// <summary>The sum over several threads.</summary>
    private sealed class Totals
    {
        private int _loaded, _failed, _conflicting, _added;
        private long _records, _memoryBytes;

        public ZoneLoadSummary Summary => new(_loaded, _failed, _records, _memoryBytes)
        {
            Conflicting = _conflicting, Added = _added,
        };

        public void CountAdded() => Interlocked.Increment(ref _added);

        public void Count(Zone? zone, bool isConflicting = false)
        {
            if (isConflicting) Interlocked.Increment(ref _conflicting);
            if (zone is null)
            {
                Interlocked.Increment(ref _failed);
                return;
            }
            Interlocked.Increment(ref _loaded);
            Interlocked.Add(ref _records, zone.RecordCount);
            Interlocked.Add(ref _memoryBytes, zone.MemoryBytes);
        }
    }
}
