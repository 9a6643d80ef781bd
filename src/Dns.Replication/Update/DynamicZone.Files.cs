using Dns.Zones;

namespace Dns.Replication;

/// <content>The journal of the zone and its file.</content>
internal sealed partial class DynamicZone
{
    // A journal whose changes cannot be made fewer is not read again before it has grown by this part.
    private const double CompactionGrowth = 1.25;

    private long _compactedOctets;

    /// <summary>Publishes what was read of the file, as <see cref="IZoneOverlay.Publish"/>.</summary>
    internal ZoneLoadResult PublishRead(ZoneSlot slot, ZoneLoadResult read, string place, DateTimeOffset now)
    {
        Zone zone = read.Zone!;
        JournalBase file = new(zone.Serial, ZoneDigest.Of(zone));
        lock (_gate)
        {
            try
            {
                OpenJournal();
                if (_takesFile) DropJournal();
                return _journal!.Count == 0 ? TakeFile(slot, read, file, now) : Merge(slot, read, file, place, now);
            }
            catch (IOException error)
            {
                return Refuse(slot, read, place, error.Message, now);
            }
        }
    }

    /// <summary>The file as it is: nothing has changed since.</summary>
    private ZoneLoadResult TakeFile(ZoneSlot slot, ZoneLoadResult read, JournalBase file, DateTimeOffset now)
    {
        Zone next = read.Zone!;
        ZoneDelta? delta = null;
        if (slot.Zone is { } served) next = ZoneSuccession.Next(served, next, owner.Options.Limits, out delta);
        (_fileBase, Conflict) = (file, null);
        slot.Publish(next, now, delta);
        return read.With(next, delta);
    }

    /// <summary>The file with the changes that are kept since.</summary>
    private ZoneLoadResult Merge(ZoneSlot slot, ZoneLoadResult read, JournalBase file, string place, DateTimeOffset now)
    {
        JournalMark mark = _journal!.Marks.LastOrDefault(mark => mark.Base == file);
        if (mark == default) return TellConflict(slot, read, file, place, now);
        (_fileBase, Conflict) = (file, null);
        Zone next = read.Zone!;
        List<ZoneDelta> deltas = [];
        if (slot.Zone is { } served && served.Serial == _journal.Serial) next = served;
        else
        {
            foreach (ZoneDelta delta in _journal.Read(mark.Index))
            {
                ZoneEditResult edited = ZoneEditor.From(next, owner.Options.Limits).Apply(delta);
                if (!edited.IsApplied) return Refuse(slot, read, place, $"{_journal.Path}: {edited.Error.Message}", now);
                next = edited.Zone;
                deltas.Add(delta);
            }
        }
        slot.Publish(next, now);
        if (deltas.Count > 0) owner.History?.Seed(slot, deltas);
        // The file was written out, and the end of that was not noted.
        if (mark.Index > 0) _journal.StartFrom(mark.Base);
        return read.With(next, null);
    }

    private ZoneLoadResult TellConflict(ZoneSlot slot, ZoneLoadResult read, JournalBase file, string place, DateTimeOffset now)
    {
        JournalBase from = _journal!.Base!.Value;
        string found = $"{place} has been edited: it has serial {file.Serial}, and {_journal.Count} changes up to serial {_journal.Serial}"
            + $" are kept for its version with serial {from.Serial} (digest {file.Digest:x32}, expected {from.Digest:x32})";
        Conflict = $"{found}: \"dnsd zone thaw {name}\" takes the file and drops the changes, "
            + (slot.Zone is null ? "with the other version of the file back in its place they are served again"
                : $"\"dnsd zone sync {name}\" writes what is served over the file and keeps the edited one beside it");
        owner.Observer.OnConflict(name, Conflict);
        if (slot.Zone is not { } served) return Refuse(slot, read, place, Conflict, now);
        slot.Fail(Conflict, now);
        return read.With(served, null);
    }

    private static ZoneLoadResult Refuse(ZoneSlot slot, ZoneLoadResult read, string place, string message, DateTimeOffset now)
    {
        ZoneLoadResult refused = read.Refuse(new ZoneDiagnostic(Severity.Error, place, 0, 0, message));
        slot.Fail(refused.Diagnostics[^1].ToString(), now);
        return refused;
    }

    private void OpenJournal()
    {
        if (_journal is not null) return;
        _journal = ZoneJournal.Open(owner.JournalPathOf(name), name, owner.Options.Journal, owner.Files);
        if (_journal.Loss is { } loss) owner.Observer.OnLoss(name, _journal.Path, loss);
    }

    /// <summary>The journal gives way to the file; what it had stays beside it once, for who gave the wrong command.</summary>
    private void DropJournal()
    {
        if (_journal!.Octets > 0) owner.Files.Move(_journal.Path, _journal.Path + DynamicZones.DroppedEnding);
        _journal = null;
        OpenJournal();
    }

    /// <summary>Another process has written to the journal, such as the server that this one takes over from: follows it.</summary>
    private void Resynchronise(ZoneSlot slot, Zone served)
    {
        try
        {
            _journal = null;
            OpenJournal();
            Zone next = served;
            bool isBehind = false;
            foreach (ZoneDelta delta in _journal!.Read())
            {
                isBehind |= delta.SerialFrom == served.Serial;
                if (!isBehind) continue;
                ZoneEditResult edited = ZoneEditor.From(next, owner.Options.Limits).Apply(delta);
                if (!edited.IsApplied) return;
                next = edited.Zone;
                slot.Publish(next, owner.Now, delta);
            }
        }
        catch (IOException error)
        {
            owner.Observer.OnFailed(name, error.Message);
        }
    }

    /// <summary>Makes one change of all that are kept: what came and went in between is left out.</summary>
    private void Compact()
    {
        ZoneJournal journal = _journal!;
        if (journal.Marks.Count > 1 || journal.Octets < _compactedOctets * CompactionGrowth) return;
        try
        {
            if (CondensedDelta.Of([.. journal.Read()], long.MaxValue) is { } condensed)
                journal.Replace(journal.Base!.Value, condensed.IsEmpty ? [] : [condensed]);
            _compactedOctets = journal.Octets;
        }
        catch (IOException error)
        {
            owner.Observer.OnFailed(name, error.Message);
        }
    }
}
