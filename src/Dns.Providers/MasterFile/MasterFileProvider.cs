using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <summary>
/// Publishes zones from master files: first all names, so that each configured zone answers SERVFAIL from the start,
/// then each zone as soon as its file has been read; and again when files change, come or go. A file with errors leaves
/// its zone with the data from before, or without any, and no other zone notices.
/// </summary>
/// <remarks>
/// Thread-safe. One change is made at a time, and others wait for it; queries and <see cref="Find"/> never do.
/// </remarks>
public sealed partial class MasterFileProvider
{
    private readonly Lock _changing = new();
    private readonly PublishedZones _published;
    private LocalZones? _local;
    private readonly ZoneFilePlaces _places = new();
    private readonly IncludedFiles _includes = new();
    private readonly int _threads;
    private readonly TimeProvider _clock;

    private volatile ZoneSet _set;
    private volatile int _zoneCount;
    private int _comparison;

    /// <summary>Publishes the names of the zones.</summary>
    /// <param name="files">The zones; no name may be there twice.</param>
    /// <param name="published">Receives the set.</param>
    /// <param name="threads">How many files are read at once, at least 1.</param>
    /// <param name="local">Zones that come from no file, served beside the others; null = none.</param>
    /// <param name="clock">Says when data was read; null = the system's.</param>
    /// <exception cref="ArgumentException">Two zones have the same name.</exception>
    public MasterFileProvider(
        IReadOnlyList<ZoneFile> files, PublishedZones published, int threads, LocalZones? local = null,
        TimeProvider? clock = null)
    {
        _published = published;
        _threads = threads;
        _local = local;
        _clock = clock ?? TimeProvider.System;
        _zoneCount = files.Count;
        _set = WithLocal([.. files.Select(SlotFor)]);
        published.Publish(_set);
    }

    /// <summary>How large a name of a zone may be.</summary>
    public ZoneLimits Limits { get; init; } = ZoneLimits.Default;

    /// <summary>How many zones come from files.</summary>
    public int ZoneCount => _zoneCount;

    /// <summary>Every directory whose files matter: those of the zones, and those of the files that they include.</summary>
    public IReadOnlyCollection<string> Directories => [.. _places.Directories.Union(_includes.Directories)];

    /// <summary>What is known of one zone; null if no zone of this name comes from a file.</summary>
    public ZoneFileStatus? Find(DomainName zone) => SlotOf(zone) is { } slot ? StatusOf(slot) : null;

    /// <summary>What is known of each zone, made one by one as they are asked for.</summary>
    public IEnumerable<ZoneFileStatus> Zones => _set.Slots.OfType<FileZoneSlot>().Select(StatusOf);

    /// <summary>What is served at this moment: zones with and without data, their records and memory.</summary>
    public ZoneLoadSummary Served
    {
        get
        {
            Totals totals = new();
            foreach (ZoneSlot slot in _set.Slots)
                if (slot is FileZoneSlot) totals.Count(slot.Zone);
            return totals.Summary;
        }
    }

    /// <summary>
    /// Reads all files and publishes their zones; returns when all are done. To be called once, at the start.
    /// </summary>
    /// <param name="observer">Told about each zone, after it has been published or has failed.</param>
    /// <param name="cancellation">Ends the reading early; zones not read yet stay without data.</param>
    /// <returns>What has been loaded.</returns>
    public ZoneLoadSummary Load(IZoneLoadObserver observer, CancellationToken cancellation = default)
    {
        lock (_changing) return Read([.. _set.Slots.OfType<FileZoneSlot>()], observer, cancellation);
    }

    /// <summary>The set of zones of files, and those of none that have their place beside them.</summary>
    private ZoneSet WithLocal(List<ZoneSlot> slots)
    {
        if (_local is not null) slots.AddRange([.. _local.Beside(slots.Select(slot => slot.Name))]);
        return ZoneSet.Create(slots);
    }

    private FileZoneSlot SlotFor(ZoneFile file) =>
        new(file.Zone) { Place = _places.NumberOf(in file), IsNamed = file.IsNamed, AllowQuery = file.AllowQuery };

    private FileZoneSlot? SlotOf(DomainName zone) => _set.FindExact(zone) as FileZoneSlot;

    private ZoneFile FileOf(FileZoneSlot slot) =>
        _places.FileOf(slot.Name, slot.Place) with { IsNamed = slot.IsNamed, AllowQuery = slot.AllowQuery };

    private ZoneFileStatus StatusOf(FileZoneSlot slot) => new(
        FileOf(slot), slot.State, slot.Zone, slot.Failure,
        slot.LoadedAt == 0 ? null : DateTimeOffset.FromUnixTimeSeconds(slot.LoadedAt));

    /// <summary>Reads the files of some zones and publishes what is good.</summary>
    private ZoneLoadSummary Read(
        IReadOnlyList<FileZoneSlot> slots, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        if (slots.Count == 0) return default;
        Totals totals = new();
        ZoneFileReading.Run(slots.Count, _threads, observer, cancellation, (i, progress) =>
        {
            FileZoneSlot slot = slots[i];
            ZoneFile file = progress.File = FileOf(slot);
            Zone? before = slot.Zone;
            bool wasBroken = slot.Failure is not null;
            try
            {
                ZoneLoadResult result = Load(slot, file, progress, cancellation);
                totals.Count(result.Zone);
                observer.OnRead(file.Zone, file.Path, result, before);
                if (wasBroken && before is not null && slot.Failure is null && slot.Zone == before)
                    observer.OnMended(file.Zone, file.Path, before);
            }
            catch (Exception error) when (error is not OperationCanceledException)
            {
                totals.Count(null);
                slot.Fail(error.Message);
                observer.OnCrash(file.Zone, file.Path, error);
            }
        });
        return totals.Summary;
    }

    private ZoneLoadResult Load(
        FileZoneSlot slot, ZoneFile file, IProgress<long> progress, CancellationToken cancellation)
    {
        string path = file.Path;
        // Looked at before it is read: what is written meanwhile makes a difference afterwards.
        FileStamp stamp = FileStamp.Of(path);
        ulong included = StampIncludes(slot.Includes);
        DateTimeOffset began = _clock.GetUtcNow();
        ZoneLoadResult result = ZoneLoader.Load(file.Zone, path, progress, cancellation, limits: Limits, served: slot.Zone);
        // Behind a link is another file that a change of would not be heard of: it counts as one that is included.
        ushort includes = _includes.NumberOf(stamp.Target is { } target ? [target, .. result.Includes] : result.Includes);
        if (includes != slot.Includes) included = StampNewIncludes(includes, began);
        slot.Includes = includes;
        slot.Stamp = Join(stamp.Value, included);
        slot.IsUnsettled = stamp.ModifiedUtc + ClockTick >= began.UtcDateTime;
        if (result.Zone is { } zone)
        {
            slot.LoadedAt = (uint)began.ToUnixTimeSeconds();
            slot.Publish(zone);
        }
        else
        {
            slot.Fail(result.Diagnostics.First(finding => finding.Severity == Severity.Error).ToString());
        }
        return result;
    }

    /// <summary>Sums up what several threads read.</summary>
    private sealed class Totals
    {
        private int _loaded, _failed;
        private long _records, _memoryBytes;

        public ZoneLoadSummary Summary => new(_loaded, _failed, _records, _memoryBytes);

        public void Count(Zone? zone)
        {
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
