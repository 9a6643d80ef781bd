using Microsoft.Extensions.Logging;

namespace Dns.Features.Updates;

/// <summary>The commands for dynamically updated zones, besides <see cref="ZoneOperations"/>. Thread-safe.</summary>
public sealed class UpdateOperations(
    ZoneStatusReader zones, IZoneControl control, DynamicZones dynamic, ILogger<UpdateOperations> logger)
{
    /// <summary>Writes the served version over the zone's file, and empties the journal.</summary>
    public ZoneSynchronisation Synchronise(DomainName zone) => Write(zone, dynamic.Synchronise);

    /// <summary>Does the same, and refuses updates from then on.</summary>
    public ZoneSynchronisation Freeze(DomainName zone)
    {
        ZoneSynchronisation result = Write(zone, dynamic.Freeze);
        logger.UpdatesFrozen(zone, "refused until it is thawed");
        return result;
    }

    /// <summary>Accepts the zone's file as it is, drops changes that it lacks, and permits updates again.</summary>
    public ZoneThaw Thaw(DomainName zone, CancellationToken cancellation)
    {
        ZoneSlot slot = FindOfFile(zone, out string path);
        Zone? before = slot.Zone;
        // The file may have been read while it was edited.
        uint? frozen = ReferenceEquals(before, slot.SourceZone) ? dynamic.SerialBeforeEdit(slot) : null;
        ThawResult result = OperationException.Storing(() => dynamic.Thaw(
            slot,
            () => control.ReloadAsync([zone], cancellation).GetAwaiter().GetResult() is { NotTaken: 0, Loaded: > 0 }));
        if (result == ThawResult.NotFrozen)
            throw new OperationException(
                OperationError.Invalid,
                $"zone {zone} is not frozen, and nothing has changed: \"dnsd zone freeze {zone}\" comes first");
        if (result == ThawResult.FileRefused)
        {
            throw new OperationException(
                OperationError.Rejected,
                $"zone {zone}: {zones.Find(zone)?.Failure?.Text ?? path + " cannot be read"}; nothing has changed");
        }
        logger.UpdatesFrozen(zone, "taken");
        // A zone that is signed here gets its next version later, with a serial of its own.
        uint? serial = frozen ?? (ReferenceEquals(slot.Zone, before) ? null : before?.Serial);
        bool isBack = serial is { } old && slot.Zone is { } now && !SerialNumber.IsGreater(now.Serial, old);
        return new ZoneThaw(zones.Read(zone)!, isBack ? serial : null);
    }

    /// <summary>The last changes in the journal of a zone, at most <paramref name="most"/>.</summary>
    public JournalContent Journal(DomainName zone, int most)
    {
        ZoneSlot slot = FindOfFile(zone, out _);
        int count = dynamic.StatusOf(zone)?.JournalCount ?? 0;
        return JournalContent.Of(zone, OperationException.Storing(() => dynamic.ReadJournal(slot, most)), count);
    }

    private ZoneSynchronisation Write(DomainName zone, Func<ZoneSlot, Action<Zone>, Zone?> write)
    {
        ZoneSlot slot = FindOfFile(zone, out string path);
        string? backup = null;
        bool wasEdited = dynamic.StatusOf(zone)?.Conflict is not null;
        RequireUnshared(zone, path);
        if (!wasEdited) RequireUnshared(zone, OperationException.Storing(() => ZoneFileWriter.BackupOf(path)));
        Zone? written = OperationException.Storing(() =>
            write(slot, version => backup = ZoneFileWriter.Write(path, version, wasEdited)));
        if (written is not null) logger.ZoneWritten(zone, written.Serial, path, backup!);
        // A zone that is signed here is served with a serial of its own.
        uint? serial = written?.Serial ?? slot.SourceZone?.Serial;
        return new ZoneSynchronisation(zones.Read(zone)!, serial, path, backup, wasEdited);
    }

    // The written file has the names of this zone in full, which are outside another one.
    private void RequireUnshared(DomainName zone, string file)
    {
        if (control.FindUsers(file).FirstOrDefault(user => !user.Equals(zone)) is not { } other) return;
        throw new OperationException(
            OperationError.Invalid,
            $"zone {zone} is not written: {file} is used by zone {other} as well: expected a file of its own");
    }

    private ZoneSlot FindOfFile(DomainName zone, out string path)
    {
        path = control.FileOf(zone) ?? "";
        if (path.Length > 0 && zones.Find(zone) is { } slot) return slot;
        if (zones.Find(zone) is not null)
        {
            throw new OperationException(
                OperationError.Invalid,
                $"zone {zone} is not a primary zone with a file: there are no updates of it here");
        }
        throw new OperationException(OperationError.NotFound, $"no zone {zone} comes from a file here");
    }
}

/// <summary>A zone that was written over its file.</summary>
/// <param name="Serial">The serial in the file.</param>
/// <param name="Backup">The path of the previous file; null if it was up to date and left unchanged.</param>
/// <param name="WasEdited">Whether that file was in conflict with the journal.</param>
public sealed record ZoneSynchronisation(
    ZoneStatus Zone, uint? Serial, string File, string? Backup, bool WasEdited);

/// <summary>A zone that is served from its edited file.</summary>
/// <param name="SerialBefore">The serial served before, if the new one is not above it; else null.</param>
public sealed record ZoneThaw(ZoneStatus Zone, uint? SerialBefore);
