namespace Dns.Providers.MasterFile;

/// <content>Change detection.</content>
public sealed partial class MasterFileSource
{
    // Changes within one tick of a file system's clock, up to 10 ms, have equal times.
    private static readonly TimeSpan ClockTick = TimeSpan.FromMilliseconds(15);

    /// <inheritdoc/>
    public bool FindTouched(string directory, string fileName, ICollection<DomainName> zones)
    {
        bool isKnown = false;
        FileZoneSlot[] coming;
        lock (_comparing) coming = [.. _pending.Values];
        foreach ((DomainName zone, int number) in _paths.FindByPattern(directory, fileName))
            if ((SlotOf(zone) ?? Array.Find(coming, slot => slot.Name.Equals(zone))) is { } slot &&
                slot.PathNumber == number) Add(slot);
        int whole = _paths.FindWhole(directory, fileName);
        if (whole >= 0)
            foreach (FileZoneSlot slot in Claims.Concat(coming))
                if (slot.PathNumber == whole) Add(slot);
        foreach (ushort number in _includes.FindLists(Path.Join(directory, fileName)))
            foreach (FileZoneSlot slot in Claims.Concat(coming))
                if (slot.Includes == number) Add(slot);
        return isKnown;

        void Add(FileZoneSlot slot)
        {
            isKnown = true;
            if (HasChanged(slot, out ulong _, isTouched: true)) zones.Add(slot.Name);
        }
    }

    /// <inheritdoc/>
    public IEnumerable<DomainName> FindUsers(string path)
    {
        ulong state = FileStamp.Of(path).Value;
        // The same state has the same inode: it is the same file.
        bool IsIt(string other) => other == path || state != 0 && FileStamp.Of(other).Value == state;
        FileZoneSlot[] coming;
        lock (_comparing) coming = [.. _pending.Values];
        Dictionary<ushort, bool> included = [];
        bool Includes(ushort number)
        {
            if (!included.TryGetValue(number, out bool isIncluded))
                included.Add(number, isIncluded = _includes.PathsOf(number).Any(IsIt));
            return isIncluded;
        }
        return [.. Claims.Concat(coming).Where(slot => IsIt(FileOf(slot).Path) || Includes(slot.Includes))
            .Select(slot => slot.Name).Distinct()];
    }

    /// <summary>Whether the files of a zone differ from what was read last.</summary>
    /// <param name="stamp">Receives the current stamp; 0 = there is no file.</param>
    /// <param name="isTouched">Whether something was certainly written, possibly before the last read.</param>
    /// <param name="included">Stamps of included files in this comparison; null = none.</param>
    private bool HasChanged(
        FileZoneSlot slot, out ulong stamp, bool isTouched = false, Dictionary<ushort, ulong>? included = null)
    {
        FileStamp own = FileStamp.Of(FileOf(slot).Path);
        ulong others = 0;
        if (slot.Includes != 0 && included?.TryGetValue(slot.Includes, out others) != true)
        {
            others = StampIncludes(slot.Includes);
            included?.Add(slot.Includes, others);
        }
        stamp = Join(own.Value, others);
        return stamp != slot.Stamp || isTouched && slot.IsUnsettled;
    }

    private static ulong Join(ulong own, ulong included) =>
        own == 0 || included == 0 ? own : Math.Max(FileStamp.Combine(own, included), 1);

    /// <summary>The current stamp of a list of files; 0 for no list.</summary>
    private ulong StampIncludes(ushort number)
    {
        ulong value = 0;
        foreach (string path in _includes.PathsOf(number))
            value = FileStamp.Combine(value, FileStamp.Of(path).Value) | 1;
        return value;
    }

    /// <summary>The same for newly found files; one written since the reading began counts as changed.</summary>
    private ulong StampNewIncludes(ushort number, DateTimeOffset began)
    {
        foreach (string path in _includes.PathsOf(number))
            if (FileStamp.Of(path).ModifiedUtc > began.UtcDateTime) return ulong.MaxValue;
        return StampIncludes(number);
    }
}
