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
        lock (_changing) return Read([.. zones.Select(SlotOf).OfType<FileZoneSlot>().Distinct()], observer, cancellation);
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
            FileZoneSlot read = SlotFor(file);
            FileZoneSlot? slot = SlotOf(file.Zone);
            if (slot?.Zone is { } before) read.Publish(before);
            ZoneLoadSummary summary = Read([read], observer, cancellation);
            if (summary.Loaded == 0) return summary;
            if (slot is null) return Publish([read], [], summary);
            slot.TakeOver(read);
            return summary;
        }
    }

    /// <summary>Takes a zone out.</summary>
    /// <returns>One zone removed; none if no zone of this name comes from a file.</returns>
    public ZoneLoadSummary Remove(DomainName zone)
    {
        lock (_changing) return SlotOf(zone) is { } slot ? Publish([], [slot], default) : default;
    }

    private ZoneUpdateResult Take(Comparison found, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        ZoneLoadSummary summary = default;
        if (!found.Update.IsTrial)
        {
            foreach ((FileZoneSlot slot, ZoneFile file) in found.Moved)
                (slot.Place, slot.IsNamed) = (_places.NumberOf(in file), file.IsNamed);
            summary = Read([.. found.Added, .. found.Moved.Select(moved => moved.Slot), .. found.Changed], observer, cancellation);
            if (!cancellation.IsCancellationRequested) summary = Publish(found.Added, found.Removed, summary);
        }
        return new ZoneUpdateResult(
            [.. found.Added.Select(slot => slot.Name)], [.. found.Removed.Select(slot => slot.Name)],
            [.. found.Moved.Select(moved => moved.Slot.Name), .. found.Changed.Select(slot => slot.Name)],
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
            if (_set.Find(in name, 0, out int skip) is not FileZoneSlot slot || skip != 0 || slot.Place != place) continue;
            slot.Seen = comparison;
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
        public List<FileZoneSlot> Added { get; } = [];
        public List<FileZoneSlot> Removed { get; } = [];
        public List<FileZoneSlot> Changed { get; } = [];
        public List<(FileZoneSlot Slot, ZoneFile File)> Moved { get; } = [];
        public List<string> Conflicts { get; } = [];
    }

    private Comparison Compare(IReadOnlyList<ZoneFile> files, Comparison found)
    {
        foreach (ZoneFile file in files) Compare(file, found);
        HashSet<FileZoneSlot> moved = [.. found.Moved.Select(move => move.Slot)];
        Dictionary<ushort, ulong> included = [];
        ZoneUpdate update = found.Update;
        foreach (ZoneSlot any in _set.Slots)
        {
            if (any is not FileZoneSlot slot || moved.Contains(slot)) continue;
            if (slot.Seen != found.Number && !(found.IsOfDirectories && slot.IsNamed))
            {
                if (!found.KeepsMissing && update.IsSettled?.Invoke(slot.Name, 0) != false) found.Removed.Add(slot);
                continue;
            }
            ulong stamp = 0;
            bool isChanged = update.ReadsChanged && HasChanged(slot, out stamp, included: included)
                && update.IsSettled?.Invoke(slot.Name, stamp) != false;
            if (isChanged || update.ReadsFailed && slot.Failure is not null) found.Changed.Add(slot);
        }
        return found;
    }

    private void Compare(in ZoneFile file, Comparison found)
    {
        ZoneUpdate update = found.Update;
        if (SlotOf(file.Zone) is not { } slot)
        {
            bool isTaken = update.IsSettled is null || update.IsSettled(file.Zone, FileStamp.Of(file.Path).Value);
            if (isTaken) found.Added.Add(SlotFor(file));
            return;
        }
        bool wasSeen = slot.Seen == found.Number;
        slot.Seen = found.Number;
        bool isElsewhere = slot.Place != _places.NumberOf(in file);
        if (isElsewhere && found.IsOfDirectories && (slot.IsNamed || wasSeen))
        {
            found.Conflicts.Add($"{file.Path} is not served: zone {slot.Name} is that of {FileOf(slot).Path}");
            return;
        }
        // A directory that also holds the file of a zone given by name says nothing about that zone.
        if (!update.IsTrial && !(found.IsOfDirectories && slot.IsNamed)) slot.AllowQuery = file.AllowQuery;
        if (isElsewhere) found.Moved.Add((slot, file));
        else if (!found.IsOfDirectories && !update.IsTrial) slot.IsNamed = file.IsNamed;
    }

    /// <summary>Serves other zones that come from no file.</summary>
    /// <param name="local">The zones; null = none.</param>
    public void Use(LocalZones? local)
    {
        lock (_changing)
        {
            _local = local;
            _set = WithLocal([.. _set.Slots.OfType<FileZoneSlot>()]);
            _published.Publish(_set);
        }
    }

    /// <summary>Publishes another set where names have come or gone. The slots of the others are those they were.</summary>
    private ZoneLoadSummary Publish(List<FileZoneSlot> added, List<FileZoneSlot> removed, ZoneLoadSummary summary)
    {
        if (added.Count + removed.Count > 0)
        {
            HashSet<ZoneSlot> gone = [.. removed];
            List<ZoneSlot> slots = new(_set.Slots.Count + added.Count);
            foreach (ZoneSlot slot in _set.Slots)
                if (slot is FileZoneSlot && !gone.Contains(slot)) slots.Add(slot);
            slots.AddRange(added);
            _zoneCount = slots.Count;
            _set = WithLocal(slots);
            _published.Publish(_set);
        }
        long removedBytes = removed.Sum(slot => slot.Zone?.MemoryBytes ?? 0);
        return summary with { Added = added.Count, Removed = removed.Count, RemovedBytes = removedBytes };
    }
}
