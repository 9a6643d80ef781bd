using Dns.Testing;

namespace Dns.Providers.Tests;

/// <summary>A source of zone files with a registry of its own, whose calls return when all is read.</summary>
internal sealed class StartedFiles
{
    private readonly MasterFileSource _source;
    private readonly IReadOnlyList<ZoneFile> _files;

    internal StartedFiles(
        IReadOnlyList<ZoneFile> files, PublishedZones published, int threads, bool hasLocalNames = false,
        TimeProvider? clock = null, ZoneLimits? limits = null)
    {
        _files = files;
        _source = new("the settings", files, new ZoneReaders(threads), clock) { Limits = limits ?? ZoneLimits.Default };
        Registry = new(published);
        if (hasLocalNames) new LocalNamesSource([]).StartAsync(Registry, new SilentObserver(), default);
        // Claimed, and nothing is read yet.
        _source.StartAsync(Registry, new SilentObserver(), new CancellationToken(canceled: true))
            .GetAwaiter().GetResult();
    }

    internal ZoneRegistry Registry { get; }

    internal IZoneFiles Source => _source;

    internal int ZoneCount => _source.ZoneCount;

    internal IReadOnlyCollection<string> Directories => _source.Directories;

    internal ZoneLoadSummary Load(IZoneLoadObserver observer, CancellationToken cancellation = default) =>
        _source.ReloadAsync([.. _files.Select(file => file.Zone)], observer, cancellation).GetAwaiter().GetResult();

    internal ZoneLoadSummary Reload(IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer) =>
        _source.ReloadAsync(zones, observer, default).GetAwaiter().GetResult();

    internal ZoneUpdateResult Update(
        IReadOnlyList<ZoneFile> files, ZoneUpdate update, IZoneLoadObserver observer,
        CancellationToken cancellation = default) =>
        _source.UpdateAsync(files, update, observer, cancellation).GetAwaiter().GetResult();

    internal ZoneUpdateResult UpdateDirectories(
        Func<KnownZoneFile, ZoneFileList> list, ZoneUpdate update, IZoneLoadObserver observer) =>
        _source.UpdateDirectoriesAsync(list, update, observer, default).GetAwaiter().GetResult();

    internal bool FindTouched(string directory, string fileName, ICollection<DomainName> zones) =>
        _source.FindTouched(directory, fileName, zones);

    internal ZoneLoadSummary Add(ZoneFile file, IZoneLoadObserver observer)
    {
        ReadZone read = _source.ReadAsync(file, observer, default).GetAwaiter().GetResult();
        return read.IsGood ? _source.Add(read) : read.Summary;
    }

    internal ZoneLoadSummary Remove(DomainName zone) => _source.Remove(zone);

    /// <summary>What is known of a zone; null if there is none.</summary>
    internal Known? Find(DomainName zone) => Registry.Find(zone, _source) is { } slot
        ? new Known(_source.FileOf(zone)!.Value, slot.State, slot.Zone, slot.Failure?.Text) : null;

    /// <summary>A zone and its file.</summary>
    internal sealed record Known(ZoneFile File, ZoneState State, Zone? Data, string? Failure);
}
