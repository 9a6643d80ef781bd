using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <content>Files that change, come and go.</content>
public sealed partial class MasterFileProvider
{
    /// <summary>
    /// Reads the files of some zones again, whether or not they have changed. Zones from what cannot be read twice, and
    /// names of no zone, are left out.
    /// </summary>
    /// <param name="zones">The zones.</param>
    /// <param name="observer">Told about each zone, after it has been published or has failed.</param>
    /// <param name="cancellation">Ends the reading early; zones not read yet keep their data.</param>
    public ZoneLoadSummary Reload(
        IEnumerable<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation = default)
    {
        lock (_changing)
        {
            return Read(
                [.. zones.Select(CellOf).OfType<FileZoneCell>().Where(cell => !cell.IsStream).Distinct()],
                observer, cancellation);
        }
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
            Comparison found = Compare(files, update);
            ZoneLoadSummary summary = default;
            if (!update.IsTrial)
            {
                foreach ((FileZoneCell cell, ZoneFile file) in found.Moved)
                    (cell.Place, cell.IsNamed, cell.IsStream) = (_places.NumberOf(in file), file.IsNamed, false);
                summary = Read([.. found.Added, .. found.Moved.Select(moved => moved.Cell), .. found.Changed], observer, cancellation);
                if (!cancellation.IsCancellationRequested) summary = Publish(found, summary);
            }
            return new ZoneUpdateResult(
                [.. found.Added.Select(cell => cell.Name)], [.. found.Removed.Select(cell => cell.Name)],
                [.. found.Moved.Select(moved => moved.Cell.Name), .. found.Changed.Select(cell => cell.Name)],
                found.Conflicts, summary);
        }
    }

    /// <summary>Adds a zone and reads it; or gives a zone another file.</summary>
    /// <returns>What came of it; a zone with errors is there and answers SERVFAIL.</returns>
    public ZoneLoadSummary Add(ZoneFile file, IZoneLoadObserver observer, CancellationToken cancellation = default)
    {
        lock (_changing)
        {
            Comparison change = new();
            if (CellOf(file.Zone) is { } cell)
                (cell.Place, cell.IsNamed, cell.IsStream) = (_places.NumberOf(in file), file.IsNamed, false);
            else
                change.Added.Add(cell = CellFor(file));
            return Publish(change, Read([cell], observer, cancellation));
        }
    }

    /// <summary>Takes a zone out.</summary>
    /// <returns>False if no zone of this name comes from a file.</returns>
    public bool Remove(DomainName zone)
    {
        lock (_changing)
        {
            if (CellOf(zone) is not { } cell) return false;
            Comparison change = new();
            change.Removed.Add(cell);
            Publish(change, default);
            return true;
        }
    }

    /// <summary>What is to be done.</summary>
    private sealed class Comparison
    {
        public List<FileZoneCell> Added { get; } = [];
        public List<FileZoneCell> Removed { get; } = [];
        public List<FileZoneCell> Changed { get; } = [];
        public List<(FileZoneCell Cell, ZoneFile File)> Moved { get; } = [];
        public List<string> Conflicts { get; } = [];
    }

    private Comparison Compare(IReadOnlyList<ZoneFile> files, ZoneUpdate update)
    {
        Comparison found = new();
        Dictionary<ushort, ulong> included = [];
        int comparison = ++_comparison;
        foreach (ZoneFile file in files)
        {
            if (CellOf(file.Zone) is not { } cell)
            {
                if (IsTaken(file.Zone, file.Path)) found.Added.Add(CellFor(file));
                continue;
            }
            cell.Seen = comparison;
            // A directory that also holds the file of a zone given by name says nothing about that zone.
            if (!update.IsTrial && !(update.IsOfDirectories && cell.IsNamed)) cell.AllowQuery = file.AllowQuery;
            bool isElsewhere = cell.Place != _places.NumberOf(in file);
            if (isElsewhere && update.IsOfDirectories && cell.IsNamed)
                found.Conflicts.Add($"{file.Path} is not served: zone {cell.Name} is that of {FileOf(cell).Path}");
            else if (isElsewhere)
                found.Moved.Add((cell, file));
            else if (!update.IsOfDirectories)
                cell.IsNamed = file.IsNamed;
        }
        foreach (FileZoneCell cell in _set.Cells.OfType<FileZoneCell>())
        {
            if (cell.Seen != comparison && !(update.IsOfDirectories && cell.IsNamed))
            {
                if (!update.KeepsMissing && update.IsSettled?.Invoke(cell.Name, 0) != false) found.Removed.Add(cell);
            }
            else if (IsToBeRead(cell)) found.Changed.Add(cell);
        }
        HashSet<FileZoneCell> moved = [.. found.Moved.Select(move => move.Cell)];
        found.Changed.RemoveAll(moved.Contains);
        return found;

        bool IsTaken(DomainName zone, string path) =>
            update.IsSettled is null || update.IsSettled(zone, FileStamp.Of(path).Value);

        bool IsToBeRead(FileZoneCell cell)
        {
            ulong stamp = 0;
            bool isChanged = update.ReadsChanged && HasChanged(cell, out stamp, included: included)
                && update.IsSettled?.Invoke(cell.Name, stamp) != false;
            return isChanged || update.ReadsFailed && cell.Failure is not null && !cell.IsStream;
        }
    }

    /// <summary>Publishes another set where names have come or gone. The cells of the others are those they were.</summary>
    private ZoneLoadSummary Publish(Comparison change, ZoneLoadSummary summary)
    {
        if (change.Added.Count + change.Removed.Count > 0)
        {
            HashSet<ZoneCell> removed = [.. change.Removed];
            FileZoneCell[] cells = [.. _set.Cells.OfType<FileZoneCell>().Where(cell => !removed.Contains(cell)), .. change.Added];
            // A zone of a file goes before one of the same name that comes from none.
            HashSet<DomainName> names = _local.Count == 0 ? [] : [.. cells.Select(cell => cell.Name)];
            _zoneCount = cells.Length;
            _set = ZoneSet.Create([.. cells, .. _local.Where(cell => !names.Contains(cell.Name))]);
            _published.Publish(_set);
        }
        return summary with { Added = change.Added.Count, Removed = change.Removed.Count };
    }
}
