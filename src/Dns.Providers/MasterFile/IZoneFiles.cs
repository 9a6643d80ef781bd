namespace Dns.Providers.MasterFile;

/// <summary>A source of zones from files, for callers that watch files, list directories or add single files.</summary>
public interface IZoneFiles : IZoneSource
{
    /// <summary>Limits of zone data.</summary>
    ZoneLimits Limits { get; }

    /// <summary>Changes kept beside files; null = none.</summary>
    IZoneOverlay? Overlay { get; }

    /// <summary>The number of zones.</summary>
    int ZoneCount { get; }

    /// <summary>All directories with zone files or included files.</summary>
    IReadOnlyCollection<string> Directories { get; }

    /// <summary>The file of a zone; null if it is not one of these.</summary>
    ZoneFile? FileOf(DomainName zone);

    /// <summary>The zones to reload after a file was written: those that have or include it.</summary>
    /// <param name="directory">The file's directory, as <see cref="Directories"/> has it.</param>
    /// <param name="zones">Receives the names of those that have changed.</param>
    /// <returns>Whether any zone uses the file.</returns>
    bool FindTouched(string directory, string fileName, ICollection<DomainName> zones);

    /// <summary>The zones that have or include a file, also by a symlink. Looks at the files of all zones.</summary>
    IEnumerable<DomainName> FindUsers(string path);

    /// <summary>
    /// Changes the zones to those of a list of files: reads and serves new ones, reloads changed ones, removes those
    /// that are not listed. The comparison is done when the call returns, the reading when the task completes.
    /// </summary>
    /// <param name="files">The zones; names are unique.</param>
    /// <param name="observer">Notified of each zone, after it was published or has failed.</param>
    /// <param name="cancellation">Cancels the reading; new zones that were not read are not added.</param>
    Task<ZoneUpdateResult> UpdateAsync(
        IReadOnlyList<ZoneFile> files, ZoneUpdate update, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>The same for zones found in directories; zones configured by name keep their files.</summary>
    /// <param name="list">
    /// Lists the directories. It skips known files by a callback, so that one more file in a directory of 100,000 needs
    /// no memory for the rest.
    /// </param>
    Task<ZoneUpdateResult> UpdateDirectoriesAsync(
        Func<KnownZoneFile, ZoneFileList> list, ZoneUpdate update, IZoneLoadObserver observer,
        CancellationToken cancellation);

    /// <summary>Reads a zone to be added, or to get another file. Nothing changes before <see cref="Add"/>.</summary>
    Task<ReadZone> ReadAsync(ZoneFile file, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>Adds a zone that was read, or replaces file and data of the zone with its name.</summary>
    ZoneLoadSummary Add(ReadZone read);

    /// <summary>Removes a zone.</summary>
    ZoneLoadSummary Remove(DomainName zone);
}

/// <summary>A zone that was read and is not served yet.</summary>
public sealed class ReadZone
{
    internal ReadZone(FileZoneSlot slot, ZoneLoadSummary summary) => (Slot, Summary) = (slot, summary);

    internal FileZoneSlot Slot { get; }

    /// <summary>The result of reading: one zone, or none.</summary>
    public ZoneLoadSummary Summary { get; }

    /// <summary>Whether the zone can be served from its file.</summary>
    public bool IsGood => Summary is { Loaded: > 0, NotTaken: 0 };
}
