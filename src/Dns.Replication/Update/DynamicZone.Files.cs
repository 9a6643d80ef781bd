namespace Dns.Replication.Update;

/// <content>Journal and file.</content>
internal sealed partial class DynamicZone
{
    // A journal that cannot be compacted further is not read again before it has grown by this factor.
    private const double CompactionGrowth = 1.25;

    private long _compactedOctets;

    /// <summary>Publishes what was read from the file, as <see cref="IZoneOverlay.Publish"/>.</summary>
    internal ZoneLoadResult PublishRead(ZoneSlot slot, ZoneLoadResult read, string path, DateTimeOffset now)
    {
        Zone zone = read.Zone!;
        JournalBase file = new(zone.Serial, ZoneDigest.Of(zone));
        lock (_gate)
        {
            try
            {
                // The process that updates the zone may have written the file, and emptied the journal.
                if (!owner.Handover.MayWrite) _journal = null;
                OpenJournal(slot.SourceZone is null ? file : null);
                if (_takesFile) DropJournal();
                else if (_journal!.Count == 0) RaiseFromFile(zone, file);
                ZoneLoadResult found =
                    _journal!.Count == 0 ? TakeFile(slot, read, file, now) : Merge(slot, read, file, path, now);
                Measure(slot);
                return found;
            }
            catch (IOException error)
            {
                return Refuse(slot, read, path, error.Message, now);
            }
        }
    }

    /// <summary>Finds a conflict of a zone with data, as <see cref="IZoneOverlay.FindConflict"/>.</summary>
    internal string? FindConflict(Zone read, string path)
    {
        JournalBase file = new(read.Serial, ZoneDigest.Of(read));
        lock (_gate)
            return _journal is not { Count: > 0 } || _journal.Marks.Any(mark => mark.Base == file)
                ? null : DescribeConflict(file, path) + RemediesOf(isServed: owner.Find(name)?.SourceZone is not null);
    }

    /// <summary>Accepts the file without changes.</summary>
    private ZoneLoadResult TakeFile(ZoneSlot slot, ZoneLoadResult read, JournalBase file, DateTimeOffset now)
    {
        Zone next = read.Zone!;
        ZoneDelta? delta = null;
        if (slot.SourceZone is { } served) next = ZoneSuccession.Next(served, next, owner.Options.Limits, out delta);
        (_fileBase, Conflict) = (file, null);
        if (owner.Handover.MayWrite) owner.Files.Delete(KeptPath);
        slot.Publish(next, now, delta);
        return read.With(next, delta);
    }

    /// <summary>Merges the file with the changes of the journal.</summary>
    private ZoneLoadResult Merge(ZoneSlot slot, ZoneLoadResult read, JournalBase file, string path, DateTimeOffset now)
    {
        JournalMark mark = _journal!.Marks.LastOrDefault(mark => mark.Base == file);
        if (mark == default) return ReportConflict(slot, read, file, path, now);
        (_fileBase, Conflict) = (file, null);
        if (slot.SourceZone is not { } next || next.Serial != _journal.Serial || _raiseTo is not null)
        {
            next = Replay(read.Zone!, mark, out IReadOnlyList<ZoneDelta> deltas);
            slot.Publish(next, now);
            // Those of a zone that is signed here lead to another version.
            if (ReferenceEquals(slot.Zone, next)) owner.History?.Seed(slot, deltas);
        }
        else slot.Publish(next, now);
        if (!owner.Handover.MayWrite) return read.With(next, null);
        // The file was written out, and the completion was not recorded.
        if (mark.Index > 0) StartFrom(mark.Base);
        if (mark.Index > 0 || !owner.Files.Exists(KeptPath)) KeepBase(read.Zone!, mark.Base);
        return read.With(next, null);
    }

    private ZoneLoadResult ReportConflict(ZoneSlot slot, ZoneLoadResult read, JournalBase file, string path,
        DateTimeOffset now)
    {
        // Of a zone to be added nothing is kept: no command decides about it before it is served.
        if (slot.IsToBeAdded)
            return Refuse(slot, read, path,
                DescribeConflict(file, path) + RemediesBeforeAdding(isServed: slot.SourceZone is not null), now);
        if (slot.SourceZone is null && TryReadKept() is { } kept) slot.Publish(kept, now);
        Conflict = DescribeConflict(file, path) + RemediesOf(isServed: slot.SourceZone is not null);
        // The process that updates the zone may be writing the file: it is read again when that has ended.
        if (owner.Handover.MayWrite) owner.Observer.OnConflict(name, Conflict);
        if (slot.SourceZone is not { } served) return Refuse(slot, read, path, Conflict, now);
        if (!owner.Handover.MayWrite) return read.Keep(served, Conflict);
        Keep(served);
        slot.Fail(Conflict, now);
        return read.Keep(served, Conflict);
    }

    private string DescribeConflict(JournalBase file, string path)
    {
        JournalBase from = _journal!.Base!.Value;
        return $"{path} has been edited: it has serial {file.Serial}, and {_journal.Path} keeps "
            +
            $"{ZoneJournal.CountOf(_journal.Count)} up to serial {_journal.Serial} for its version with serial " +
            $"{from.Serial}"
            + $" (digest {file.Digest:x32}, expected {from.Digest:x32}): ";
    }

    private string RemediesOf(bool isServed) =>
        $"\"dnsd zone thaw {name}\" takes the file and drops what the journal keeps, "
        + (isServed
            ? $"\"dnsd zone sync {name}\" writes what is served over the file and keeps the edited one beside it"
            : "with the other version of the file back in its place that is served again");

    private string RemediesBeforeAdding(bool isServed) => isServed
        ? $"before another file, \"dnsd zone sync {name}\" writes what is served to the present one"
        : $"before adding {name} again, put the other version of the file back, or move the journal away to drop what "
            + "it keeps";

    /// <summary>Applies the changes of the journal since a version; after a loss, raises the serial.</summary>
    /// <exception cref="IOException">The journal cannot be read or written, or a change does not fit.</exception>
    private Zone Replay(Zone from, JournalMark mark, out IReadOnlyList<ZoneDelta> deltas)
    {
        DeltaReplay replay = ReplayFrom(from);
        Zone last = Apply(replay, _journal!.Read(mark.Index));
        if (RaiseOf(last) is { } raise)
        {
            _journal.Append(raise);
            _raiseTo = null;
            last = Apply(replay, [raise]);
        }
        deltas = replay.Deltas;
        return last;
    }

    private DeltaReplay ReplayFrom(Zone zone) => new(zone, owner.Options.Limits, ZoneHistory.DefaultMaxBytes);

    private Zone Apply(DeltaReplay replay, IEnumerable<ZoneDelta> changes) =>
        replay.TryApply(changes, out string? error) ? replay.Zone : throw new IOException($"{_journal!.Path}: {error}");

    private string KeptPath => owner.PathOf(name, DynamicZones.KeptEnding);

    /// <summary>Stores the served version beside the journal, since the base of its changes is gone.</summary>
    private void Keep(Zone served)
    {
        if (_journal!.Marks.Count > 1 && owner.Files.Exists(KeptPath)) return;
        try
        {
            JournalBase at = new(served.Serial, ZoneDigest.Of(served));
            string aside = WriteAside(served, at);
            _journal.AddMark(at);
            owner.Files.Move(aside, KeptPath);
        }
        catch (IOException error)
        {
            owner.Observer.OnFailed(name, error.Message);
        }
    }

    // Keeps the version that the journal starts from, if it is small. If the file is edited while the server is down,
    // both restore the served version.
    private void KeepBase(Zone zone, JournalBase at)
    {
        try
        {
            if (_journal!.Count == 0 || zone.RecordCount > owner.Options.MaxKeptRecords) owner.Files.Delete(KeptPath);
            else owner.Files.Move(WriteAside(zone, at), KeptPath);
        }
        catch (IOException)
        {
            // Only needed if the file is edited while the server is down.
        }
    }

    private string WriteAside(Zone zone, JournalBase at)
    {
        string aside = owner.PathOf(name, DynamicZones.KeptEnding + ".new");
        owner.Files.Delete(aside);
        using IJournalFile file = owner.Files.Create(aside);
        ZoneCopyWriter.Write(file, name, new ZoneCopy(zone, default), at);
        return aside;
    }

    // Deletes the kept version of a removed zone: it must not be served if the zone returns with another file.
    internal void Forget()
    {
        Uncount();
        lock (_gate)
            try
            {
                if (JournalCount > 0) owner.Files.Delete(KeptPath);
            }
            catch (IOException)
            {
                // The zone would be served from it, with a conflict.
            }
    }

    /// <summary>The last served version: the kept one with later changes; null if unknown.</summary>
    private Zone? TryReadKept()
    {
        if (!owner.Files.TryOpen(KeptPath, out IJournalFile? file)) return null;
        using (file)
        {
            if (!ZoneCopyReader.TryRead(file, name, owner.Options.Limits, out ZoneCopy? copy, out JournalBase at,
                out _, default))
                return null;
            JournalMark mark = _journal!.Marks.LastOrDefault(mark => mark.Base == at);
            return mark == default ? null : Replay(copy.Zone, mark, out _);
        }
    }

    /// <summary>The version that the changes start from; null if unknown.</summary>
    private JournalBase? TryReadKeptBase()
    {
        if (!owner.Files.TryOpen(KeptPath, out IJournalFile? file)) return null;
        using (file)
            return ZoneCopyReader.TryRead(file, name, owner.Options.Limits, out _, out JournalBase at, out _, default)
                ? at : null;
    }

    private static ZoneLoadResult Refuse(ZoneSlot slot, ZoneLoadResult read, string path, string message,
        DateTimeOffset now)
    {
        ZoneLoadResult refused = read.Refuse(new ZoneDiagnostic(Severity.Error, path, 0, 0, message));
        slot.Fail(refused.Diagnostics[^1].ToString(), now);
        return refused;
    }

    /// <param name="start">The version of the file if it is the only one known; null while the zone is served.</param>
    private void OpenJournal(JournalBase? start = null)
    {
        if (_journal is not null) return;
        string path = owner.PathOf(name, DynamicZones.JournalEnding);
        bool hadChanges = start is not null && (owner.Files.Exists(path) || owner.Files.Exists(KeptPath));
        _journal = ZoneJournal.Open(path, name, owner.Options.Journal, owner.Files);
        if (hadChanges && _journal.Count == 0 && _journal.Loss is not { IsTorn: false }) TakeLossOfAll(start!.Value);
        else if (_journal.Loss is { } loss) TakeLoss(loss);
    }

    /// <summary>
    /// Removes the changes before a version from the journal. Without one left, the kept version goes first: alone it
    /// says that changes are lost.
    /// </summary>
    private void StartFrom(JournalBase at)
    {
        owner.Files.Delete(KeptPath);
        _journal!.StartFrom(at);
    }

    // Discards the journal in favour of the file; one old journal is kept in case the command was a mistake.
    private void DropJournal()
    {
        owner.Files.Delete(KeptPath);
        if (_journal!.Octets > 0) owner.Files.Move(_journal.Path, _journal.Path + DynamicZones.DroppedEnding);
        _journal = null;
        (_raiseTo, Loss) = (null, null);
        OpenJournal();
    }

    /// <summary>
    /// Publishes what another process has appended to the journal; false if the file has to be read again for that.
    /// </summary>
    internal bool TryCatchUp()
    {
        lock (_gate)
        {
            if (owner.Find(name) is not { } slot) return true;
            return _journal is not null && slot.SourceZone is { } served && Resynchronise(slot, served)
                && Conflict is null;
        }
    }

    /// <summary>Follows changes of another process, such as the server that this one replaces.</summary>
    /// <returns>Whether the next update can be stored.</returns>
    private bool Resynchronise(ZoneSlot slot, Zone served)
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
                if (!edited.IsApplied) return false;
                next = edited.Zone;
                slot.Publish(next, owner.Now, delta);
            }
            return !LeadsElsewhere(next) && !LacksJournal(next);
        }
        catch (IOException error)
        {
            owner.Observer.OnFailed(name, error.Message);
            return false;
        }
    }

    /// <summary>Condenses all changes into one, unless it would take too much memory to read it again.</summary>
    private void Compact()
    {
        ZoneJournal journal = _journal!;
        if (journal.Marks.Count > 1 || journal.Octets < _compactedOctets * CompactionGrowth) return;
        try
        {
            ZoneDelta? condensed =
                CondensedDelta.OfAll(journal.Read(), CondensedDelta.BlockBytes, owner.MaxCondensedBytes);
            if (condensed is not null)
                journal.Replace(journal.Base!.Value, condensed.IsEmpty ? [] : [condensed]);
            else owner.Observer.OnNotCompacted(name, journal.Octets);
            _compactedOctets = journal.Octets;
        }
        catch (OutOfMemoryException)
        {
            _compactedOctets = journal.Octets;
            owner.Observer.OnNotCompacted(name, journal.Octets);
        }
        catch (IOException error)
        {
            owner.Observer.OnFailed(name, error.Message);
        }
        catch (Exception error)
        {
            // What was stored and published is answered as such.
            owner.Observer.OnCrash(name, error);
        }
    }
}
