namespace Dns.Providers.MasterFile;

/// <content>Changed, added and removed files.</content>
public sealed partial class MasterFileSource
{
    /// <inheritdoc/>
    public Task<ZoneUpdateResult> UpdateAsync(
        IReadOnlyList<ZoneFile> files, ZoneUpdate update, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        Comparison found;
        lock (_comparing)
        {
            found = new(++_comparison, update, isOfDirectories: false, keepsMissing: false);
            if (!update.IsTrial) TakeNames(files);
            Begin(Compare(files, found), cancellation);
        }
        return FinishAsync(found, observer, cancellation);
    }

    /// <inheritdoc/>
    public Task<ZoneUpdateResult> UpdateDirectoriesAsync(
        Func<KnownZoneFile, ZoneFileList> list, ZoneUpdate update, IZoneLoadObserver observer,
        CancellationToken cancellation)
    {
        Comparison found;
        lock (_comparing)
        {
            int number = ++_comparison;
            ZoneFileList listing = list((directory, fileName) => TrySee(directory, fileName, number));
            found = new(number, update, isOfDirectories: true, listing.IsIncomplete);
            Begin(Compare(listing.Files, found), cancellation);
        }
        return FinishAsync(found, observer, cancellation);
    }

    /// <inheritdoc/>
    public async Task<ReadZone> ReadAsync(ZoneFile file, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        FileZoneSlot read = SlotFor(file, isOfCommand: true);
        if (SlotOf(file.Zone)?.SourceZone is { } before) read.Publish(before);
        return new ReadZone(read, await ReadAsync([read], observer, cancellation).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public ZoneLoadSummary Add(ReadZone read)
    {
        lock (_comparing)
        {
            FileZoneSlot slot = read.Slot;
            _pending.Remove(slot.Name);
            if (SlotOf(slot.Name) is not { } before)
            {
                Change([], [slot]);
                return read.Summary with { Added = 1 };
            }
            if (before.IsNamed == slot.IsNamed) before.TakeOver(slot, _clock.GetUtcNow());
            else Change([before], [slot]);
            return read.Summary;
        }
    }

    /// <inheritdoc/>
    public ZoneLoadSummary Remove(DomainName zone)
    {
        lock (_comparing)
        {
            _pending.Remove(zone);
            if (SlotOf(zone) is not { } slot) return default;
            Change([slot], []);
            return new ZoneLoadSummary { Removed = 1, RemovedBytes = slot.Zone?.MemoryBytes ?? 0 };
        }
    }

    /// <summary>Zones that become, or stop being, configured by name get new slots with that precedence.</summary>
    private void TakeNames(IReadOnlyList<ZoneFile> files)
    {
        List<FileZoneSlot> before = [], after = [];
        foreach (ZoneFile file in files)
        {
            if (SlotOf(file.Zone) is not { } slot || slot.IsNamed == file.IsNamed) continue;
            FileZoneSlot other = SlotFor(file);
            other.TakeOver(slot, _clock.GetUtcNow());
            before.Add(slot);
            after.Add(other);
        }
        Change(before, after);
    }

    /// <summary>Applies changes that need no reading.</summary>
    private void Begin(Comparison found, CancellationToken cancellation)
    {
        if (found.Update.IsTrial || cancellation.IsCancellationRequested) return;
        foreach ((FileZoneSlot slot, ZoneFile file) in found.Moved) slot.PathNumber = PathNumberOf(slot, file);
        foreach (FileZoneSlot slot in found.Added) _pending.Add(slot.Name, slot);
        foreach (FileZoneSlot slot in found.Removed) _pending.Remove(slot.Name);
        Change([.. found.Removed.Where(slot => slot.Source is not null)], []);
    }

    private async Task<ZoneUpdateResult> FinishAsync(Comparison found, IZoneLoadObserver observer,
        CancellationToken cancellation)
    {
        ZoneLoadSummary summary = default;
        if (!found.Update.IsTrial && !cancellation.IsCancellationRequested)
        {
            summary = await ReadAsync(
                [.. found.Added, .. found.Moved.Select(moved => moved.Slot), .. found.Changed], observer, cancellation)
                .ConfigureAwait(false);
            if (cancellation.IsCancellationRequested) Forget(found.Added);
            summary = summary with
            {
                Removed = found.Removed.Count,
                RemovedBytes = found.Removed.Sum(slot => slot.Zone?.MemoryBytes ?? 0),
            };
        }
        return new ZoneUpdateResult(
            [.. found.Added.Select(slot => slot.Name)], [.. found.Removed.Select(slot => slot.Name)],
            [.. found.Moved.Select(moved => moved.Slot.Name), .. found.Changed.Select(slot => slot.Name)],
            found.Conflicts, summary);
    }

    /// <summary>Claims a new zone that was read, unless it was removed or added otherwise meanwhile.</summary>
    private bool TryClaim(FileZoneSlot slot)
    {
        if (slot.Source is not null) return false;
        lock (_comparing)
        {
            if (slot.State == ZoneState.Loading || _pending.GetValueOrDefault(slot.Name) != slot) return false;
            _pending.Remove(slot.Name);
            Change([], [slot]);
            return true;
        }
    }

    private void Forget(List<FileZoneSlot> added)
    {
        lock (_comparing)
            foreach (FileZoneSlot slot in added)
                if (_pending.GetValueOrDefault(slot.Name) == slot) _pending.Remove(slot.Name);
    }

    /// <summary>Marks the zone of a file as seen, if it exists and has this file.</summary>
    private bool TrySee(string directory, ReadOnlySpan<char> fileName, int comparison)
    {
        Span<byte> text = stackalloc byte[byte.MaxValue + 1], octets = stackalloc byte[WireName.MaxOctets];
        Unsafe.SkipInit(out LookupName name);
        int index = 0;
        while (_paths.TryStrip(directory, fileName, ref index, out ReadOnlySpan<char> zone, out int number))
        {
            // Encoded names take the slow path: decoded, then found to be known.
            if (zone.IsEmpty || zone is "@" || zone.Contains('%') || !Ascii.IsValid(zone) || zone.Length > text.Length)
                continue;
            Ascii.FromUtf16(zone, text, out int length);
            if (NameText.Parse(text[..length], DomainName.Root.Octets, octets, out int nameOctets)
                != NameTextError.None) continue;
            name.Set(octets[..nameOctets]);
            ZoneSlot? served = Registry.Published.Current.Find(in name, 0, out int skip);
            // Usually it is served, and found without allocation.
            FileZoneSlot? slot = skip == 0 && served is FileZoneSlot found && found.Source == this
                ? found : KnownSlotOf(DomainName.FromOctets(octets[..nameOctets]));
            // A file named in another letter case of the zone is another file.
            if (slot is null || slot.PathNumber != number || !slot.Name.Octets.SequenceEqual(octets[..nameOctets]))
                continue;
            slot.Seen = comparison;
            return true;
        }
        return false;
    }

    private int PathNumberOf(FileZoneSlot slot, in ZoneFile file) => _paths.NumberOf(file with { Zone = slot.Name });

    private FileZoneSlot? KnownSlotOf(DomainName zone) => SlotOf(zone) ?? _pending.GetValueOrDefault(zone);

    /// <summary>The changes to apply.</summary>
    private sealed class Comparison(int number, ZoneUpdate update, bool isOfDirectories, bool keepsMissing)
    {
        public int Number { get; } = number;
        public ZoneUpdate Update { get; } = update;
        public bool IsOfDirectories { get; } = isOfDirectories;
        public bool KeepsMissing { get; } = keepsMissing;
        public List<FileZoneSlot> Added { get; } = [];
        public Dictionary<DomainName, FileZoneSlot> New { get; } = [];
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
        foreach (FileZoneSlot slot in Claims.Concat(_pending.Values))
        {
            if (moved.Contains(slot)) continue;
            if (slot.Seen != found.Number && !(found.IsOfDirectories && slot.IsNamed))
            {
                if (!found.KeepsMissing && update.IsSettled?.Invoke(slot.Name, 0) != false) found.Removed.Add(slot);
                continue;
            }
            // Not read yet, and about to be.
            if (slot.State == ZoneState.Loading) continue;
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
        if (KnownSlotOf(file.Zone) is not { } slot)
        {
            if (found.New.TryGetValue(file.Zone, out FileZoneSlot? other))
            {
                found.Conflicts.Add($"{file.Path} is not served: zone {other.Name} is that of {FileOf(other).Path}");
                return;
            }
            if (update.IsSettled?.Invoke(file.Zone, FileStamp.Of(file.Path).Value) == false) return;
            found.New.Add(file.Zone, other = SlotFor(file));
            found.Added.Add(other);
            return;
        }
        bool wasSeen = slot.Seen == found.Number;
        slot.Seen = found.Number;
        bool isElsewhere = slot.PathNumber != PathNumberOf(slot, file);
        if (isElsewhere && found.IsOfDirectories && (slot.IsNamed || wasSeen))
        {
            found.Conflicts.Add($"{file.Path} is not served: zone {slot.Name} is that of {FileOf(slot).Path}");
            return;
        }
        // A directory does not decide about a zone configured by name, even if it contains its file.
        if (!update.IsTrial && !(found.IsOfDirectories && slot.IsNamed))
            (slot.AllowQuery, slot.Policy) = (file.AllowQuery, file.Policy);
        if (isElsewhere) found.Moved.Add((slot, file));
    }
}
