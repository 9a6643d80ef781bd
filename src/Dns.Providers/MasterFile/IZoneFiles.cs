using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <summary>
/// A source of zones that come from files, for those who know of files: who watches them, lists directories, or is given one.
/// </summary>
public interface IZoneFiles : IZoneSource
{
    /// <summary>How large a name of a zone may be.</summary>
    ZoneLimits Limits { get; }

    /// <summary>How many zones it has.</summary>
    int ZoneCount { get; }

    /// <summary>Every directory whose files matter: those of the zones, and those of the files that they include.</summary>
    IReadOnlyCollection<string> Directories { get; }

    /// <summary>The file of a zone; null if it has no zone of this name.</summary>
    ZoneFile? FileOf(DomainName zone);

    /// <summary>
    /// The zones that have to be read again because something was written to a file: those whose file it is and those that
    /// include it.
    /// </summary>
    /// <param name="directory">The file's directory, as <see cref="Directories"/> has it.</param>
    /// <param name="fileName">The file's name in it.</param>
    /// <param name="zones">Receives the names of those that changed since they were read.</param>
    /// <returns>Whether any zone has to do with the file at all.</returns>
    bool FindTouched(string directory, string fileName, ICollection<DomainName> zones);

    /// <summary>
    /// Makes the zones those of a list of files: what is new is read and then served, what has another file or a changed
    /// one is read again, and what is not in the list is served no more. Everything that can be kept is kept. The comparison is over when
    /// the call returns, the reading when the task ends.
    /// </summary>
    /// <param name="files">The zones; no name may be there twice.</param>
    /// <param name="update">What is compared and what is done.</param>
    /// <param name="observer">Told about each zone that is read, after it has been published or has failed.</param>
    /// <param name="cancellation">Ends the reading early; what is new and was not read does not come.</param>
    Task<ZoneUpdateResult> UpdateAsync(
        IReadOnlyList<ZoneFile> files, ZoneUpdate update, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>
    /// The same for the zones that are found in directories: those given by name are left alone, and keep their files.
    /// </summary>
    /// <param name="list">
    /// Lists the directories. It asks of each file whether it is known, and leaves out those that are: a directory of 100,000
    /// files that gets one more costs no memory.
    /// </param>
    /// <param name="update">What is compared and what is done.</param>
    /// <param name="observer">Told about each zone that is read, after it has been published or has failed.</param>
    /// <param name="cancellation">Ends the reading early; what is new and was not read does not come.</param>
    Task<ZoneUpdateResult> UpdateDirectoriesAsync(
        Func<KnownZoneFile, ZoneFileList> list, ZoneUpdate update, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>
    /// Reads a zone that may be added, or that a zone may get another file by. Nothing has changed before <see cref="Add"/>.
    /// </summary>
    Task<ReadZone> ReadAsync(ZoneFile file, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>Adds a zone that was read, or gives the zone of that name its file and data.</summary>
    ZoneLoadSummary Add(ReadZone read);

    /// <summary>Takes a zone out.</summary>
    /// <returns>One zone removed; none if it has no zone of this name.</returns>
    ZoneLoadSummary Remove(DomainName zone);
}

/// <summary>A zone that was read and is not served yet.</summary>
public sealed class ReadZone
{
    internal ReadZone(FileZoneSlot slot, ZoneLoadSummary summary) => (Slot, Summary) = (slot, summary);

    internal FileZoneSlot Slot { get; }

    /// <summary>What reading came to: one zone, or none.</summary>
    public ZoneLoadSummary Summary { get; }

    /// <summary>Whether there is a zone to be served.</summary>
    public bool IsGood => Summary.Loaded > 0;
}
