using System.Runtime.CompilerServices;
using System.Text;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <content>Files that change, come and go.</content>
public sealed partial class MasterFileProvider
{
    /// <summary>
    /// Reads the files of some zones again, whether or not they have changed. Names of no zone are left out.
    /// </summary>
    /// <param name="zones">The zones.</param>
    /// <param name="observer">Told about each zone, after it has been published or has failed.</param>
    /// <param name="cancellation">Ends the reading early; zones not read yet keep their data.</param>
    public ZoneLoadSummary Reload(
        IEnumerable<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation = default)
    {
        lock (_changing) return Read([.. zones.Select(CellOf).OfType<FileZoneCell>().Distinct()], observer, cancellation);
    }

    /// <summary>
    /// Makes the zones those of a list of files: what is new is read and then served, what has another file or a changed
    /// one is read again, and what is not in the list is served no more. Everything that can be kept is kept.
    /// </summary>
    /// <param name="files">The zones; no name may be there twice.</param>
    /// <param name="update">What is compared and what is done.</param>
    /// <param name="observer">Told about each zone that is read, after it has been published or has failed.</param>
    /// <param name="cancellation">Ends the reading early; then no zone comes or goes.</param>
    public ZoneUpdateResult Update(
        IReadOnlyList<ZoneFile> files, ZoneUpdate update, IZoneLoadObserver observer,
        CancellationToken cancellation = default)
    {
        lock (_changing)
        {
            Comparison comparison = new(++_comparison, update, isOfDirectories: false, keepsMissing: false);
            return Take(Compare(files, comparison), observer, cancellation);
        }
    }

    /// <summary>
    /// The same for the zones that are found in directories: those given by name are left alone, and keep their files.
    /// </summary>
    /// <param name="list">
    /// Lists the directories. It asks of each file whether it is known, and leaves out those that are: a directory of 100,000
    /// files that gets one more costs no memory.
    /// </param>
    /// <param name="update">What is compared and what is done.</param>
    /// <param name="observer">Told about each zone that is read, after it has been published or has failed.</param>
    /// <param name="cancellation">Ends the reading early; then no zone comes or goes.</param>
    public ZoneUpdateResult UpdateDirectories(
        Func<KnownZoneFile, ZoneListing> list, ZoneUpdate update, IZoneLoadObserver observer,
        CancellationToken cancellation = default)
    {
        lock (_changing)
        {
            int number = ++_comparison;
            ZoneListing listing = list((directory, fileName) => TrySee(directory, fileName, number));
            Comparison comparison = new(number, update, isOfDirectories: true, listing.IsIncomplete);
            return Take(Compare(listing.Files, comparison), observer, cancellation);
        }
    }

    /// <summary>Reads a zone and adds it; or gives a zone another file. Where that cannot be loaded, everything stays as it is.</summary>
    /// <returns>What came of it: one zone loaded, or none.</returns>
    public ZoneLoadSummary Add(ZoneFile file, IZoneLoadObserver observer, CancellationToken cancellation = default)
    {
        lock (_changing)
        {
            FileZoneCell read = CellFor(file);
            FileZoneCell? cell = CellOf(file.Zone);
            if (cell?.Zone is { } before) read.Publish(before);
            ZoneLoadSummary summary = Read([read], observer, cancellation);
            if (summary.Loaded == 0) return summary;
            if (cell is null) return Publish([read], [], summary);
            cell.TakeOver(read);
            return summary;
        }
    }

    /// <summary>Takes a zone out.</summary>
    /// <returns>One zone removed; none if no zone of this name comes from a file.</returns>
    public ZoneLoadSummary Remove(DomainName zone)
    {
        lock (_changing) return CellOf(zone) is { } cell ? Publish([], [cell], default) : default;
    }

    private ZoneUpdateResult Take(Comparison found, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        ZoneLoadSummary summary = default;
        if (!found.Update.IsTrial)
        {
            foreach ((FileZoneCell cell, ZoneFile file) in found.Moved)
                (cell.Place, cell.IsNamed) = (_places.NumberOf(in file), file.IsNamed);
            summary = Read([.. found.Added, .. found.Moved.Select(moved => moved.Cell), .. found.Changed], observer, cancellation);
            if (!cancellation.IsCancellationRequested) summary = Publish(found.Added, found.Removed, summary);
        }
        return new ZoneUpdateResult(
            [.. found.Added.Select(cell => cell.Name)], [.. found.Removed.Select(cell => cell.Name)],
            [.. found.Moved.Select(moved => moved.Cell.Name), .. found.Changed.Select(cell => cell.Name)],
            found.Conflicts, summary);
    }

    /// <summary>Marks the zone of a file as seen, if there is one and this is its file.</summary>
    private bool TrySee(string directory, ReadOnlySpan<char> fileName, int comparison)
    {
        Span<byte> text = stackalloc byte[byte.MaxValue + 1], octets = stackalloc byte[WireName.MaxOctets];
        Unsafe.SkipInit(out LookupName name);
        int way = 0;
        while (_places.TryStrip(directory, fileName, ref way, out ReadOnlySpan<char> zone, out int place))
        {
            // What is encoded takes the long way: it is made a name, and then found to be known.
            if (zone.IsEmpty || zone is "@" || zone.Contains('%') || !Ascii.IsValid(zone) || zone.Length > text.Length) continue;
            Ascii.FromUtf16(zone, text, out int length);
            if (NameText.Parse(text[..length], DomainName.Root.Octets, octets, out int nameOctets) != NameTextError.None) continue;
            name.Set(octets[..nameOctets]);
            if (_set.Find(in name, 0, out int skip) is not FileZoneCell cell || skip != 0 || cell.Place != place) continue;
            cell.Seen = comparison;
            return true;
        }
        return false;
    }

    /// <summary>What is to be done.</summary>
    private sealed class Comparison(int number, ZoneUpdate update, bool isOfDirectories, bool keepsMissing)
    {
        public int Number { get; } = number;
        public ZoneUpdate Update { get; } = update;
        public bool IsOfDirectories { get; } = isOfDirectories;
        public bool KeepsMissing { get; } = keepsMissing;
        public List<FileZoneCell> Added { get; } = [];
        public List<FileZoneCell> Removed { get; } = [];
        public List<FileZoneCell> Changed { get; } = [];
        public List<(FileZoneCell Cell, ZoneFile File)> Moved { get; } = [];
        public List<string> Conflicts { get; } = [];
    }

    private Comparison Compare(IReadOnlyList<ZoneFile> files, Comparison found)
    {
        foreach (ZoneFile file in files) Compare(file, found);
        HashSet<FileZoneCell> moved = [.. found.Moved.Select(move => move.Cell)];
        Dictionary<ushort, ulong> included = [];
        ZoneUpdate update = found.Update;
        foreach (ZoneCell any in _set.Cells)
        {
            if (any is not FileZoneCell cell || moved.Contains(cell)) continue;
            if (cell.Seen != found.Number && !(found.IsOfDirectories && cell.IsNamed))
            {
                if (!found.KeepsMissing && update.IsSettled?.Invoke(cell.Name, 0) != false) found.Removed.Add(cell);
                continue;
            }
            ulong stamp = 0;
            bool isChanged = update.ReadsChanged && HasChanged(cell, out stamp, included: included)
                && update.IsSettled?.Invoke(cell.Name, stamp) != false;
            if (isChanged || update.ReadsFailed && cell.Failure is not null) found.Changed.Add(cell);
        }
        return found;
    }

    private void Compare(in ZoneFile file, Comparison found)
    {
        ZoneUpdate update = found.Update;
        if (CellOf(file.Zone) is not { } cell)
        {
            bool isTaken = update.IsSettled is null || update.IsSettled(file.Zone, FileStamp.Of(file.Path).Value);
            if (isTaken) found.Added.Add(CellFor(file));
            return;
        }
        bool wasSeen = cell.Seen == found.Number;
        cell.Seen = found.Number;
        bool isElsewhere = cell.Place != _places.NumberOf(in file);
        if (isElsewhere && found.IsOfDirectories && (cell.IsNamed || wasSeen))
        {
            found.Conflicts.Add($"{file.Path} is not served: zone {cell.Name} is that of {FileOf(cell).Path}");
            return;
        }
        // A directory that also holds the file of a zone given by name says nothing about that zone.
        if (!update.IsTrial && !(found.IsOfDirectories && cell.IsNamed)) cell.AllowQuery = file.AllowQuery;
        if (isElsewhere) found.Moved.Add((cell, file));
        else if (!found.IsOfDirectories && !update.IsTrial) cell.IsNamed = file.IsNamed;
    }

    /// <summary>Serves other zones that come from no file.</summary>
    /// <param name="local">The zones; null = none.</param>
    public void Use(LocalZones? local)
    {
        lock (_changing)
        {
            _local = local;
            _set = WithLocal([.. _set.Cells.OfType<FileZoneCell>()]);
            _published.Publish(_set);
        }
    }

    /// <summary>Publishes another set where names have come or gone. The cells of the others are those they were.</summary>
    private ZoneLoadSummary Publish(List<FileZoneCell> added, List<FileZoneCell> removed, ZoneLoadSummary summary)
    {
        if (added.Count + removed.Count > 0)
        {
            HashSet<ZoneCell> gone = [.. removed];
            List<ZoneCell> cells = new(_set.Cells.Count + added.Count);
            foreach (ZoneCell cell in _set.Cells)
                if (cell is FileZoneCell && !gone.Contains(cell)) cells.Add(cell);
            cells.AddRange(added);
            _zoneCount = cells.Count;
            _set = WithLocal(cells);
            _published.Publish(_set);
        }
        long removedBytes = removed.Sum(cell => cell.Zone?.MemoryBytes ?? 0);
        return summary with { Added = added.Count, Removed = removed.Count, RemovedBytes = removedBytes };
    }
}
