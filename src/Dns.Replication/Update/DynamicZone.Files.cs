namespace Dns.Replication.Update;

/// <content>The zone file, and the commands of the operator.</content>
internal sealed partial class DynamicZone
{
    // The digest of a large zone takes longer than the gate may be held; this is the number of tries without it.
    private const int DigestTries = 3;

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
                if (!owner.Handover.MayWrite) _journal.Close();
                _journal.Open(slot.SourceZone is null ? file : null);
                if (State.TakesFile) _journal.Drop();
                else if (_journal.Count == 0) _journal.RaiseFromFile(zone, file);
                ZoneLoadResult found =
                    _journal.Count == 0 ? TakeFile(slot, read, file, now) : Merge(slot, read, file, path, now);
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
            return _journal.Count == 0 || _journal.FindMark(file) is not null ? null
                : _journal.ConflictWith(path, file, owner.Find(name)?.SourceZone is not null, false).Text;
    }

    /// <summary>Accepts the file without changes.</summary>
    private ZoneLoadResult TakeFile(ZoneSlot slot, ZoneLoadResult read, JournalBase file, DateTimeOffset now)
    {
        Zone next = read.Zone!;
        ZoneDelta? delta = null;
        if (slot.SourceZone is { } served) next = ZoneSuccession.Next(served, next, owner.Options.Limits, out delta);
        (State.File, State.Conflict) = (file, null);
        if (owner.Handover.MayWrite) _journal.DeleteKept();
        slot.Publish(next, now, delta);
        return read.With(next, delta);
    }

    /// <summary>Merges the file with the changes of the journal.</summary>
    private ZoneLoadResult Merge(ZoneSlot slot, ZoneLoadResult read, JournalBase file, string path, DateTimeOffset now)
    {
        if (_journal.FindMark(file) is not { } mark) return ReportConflict(slot, read, file, path, now);
        (State.File, State.Conflict) = (file, null);
        if (slot.SourceZone is not { } next || next.Serial != _journal.Serial || State.RaiseTo is not null)
        {
            next = _journal.Replay(read.Zone!, mark, out IReadOnlyList<ZoneDelta> deltas);
            slot.Publish(next, now);
            // Those of a zone that is signed here lead to another version.
            if (ReferenceEquals(slot.Zone, next)) owner.History?.Seed(slot, deltas);
        }
        else slot.Publish(next, now);
        if (!owner.Handover.MayWrite) return read.With(next, null);
        // The file was written out, and the completion was not recorded.
        if (mark.Index > 0) _journal.StartFrom(mark.Base);
        if (mark.Index > 0 || !_journal.HasKept) _journal.KeepBase(read.Zone!, mark.Base);
        return read.With(next, null);
    }

    private ZoneLoadResult ReportConflict(
        ZoneSlot slot, ZoneLoadResult read, JournalBase file, string path, DateTimeOffset now)
    {
        // Of a zone to be added nothing is kept: no command decides about it before it is served.
        if (!slot.IsToBeAdded && slot.SourceZone is null && _journal.TryReadKept() is { } kept) slot.Publish(kept, now);
        FileConflict conflict = _journal.ConflictWith(path, file, slot.SourceZone is not null, slot.IsToBeAdded);
        if (slot.IsToBeAdded) return Refuse(slot, read, path, conflict.Text, now);
        State.Conflict = conflict;
        // The process that updates the zone may be writing the file: it is read again when that has ended.
        if (owner.Handover.MayWrite) owner.Observer.OnConflict(name, conflict);
        if (slot.SourceZone is not { } served) return Refuse(slot, read, path, conflict.Text, now);
        if (!owner.Handover.MayWrite) return read.Keep(served, conflict.Text);
        _journal.Keep(served);
        slot.Fail(conflict, now);
        return read.Keep(served, conflict.Text);
    }

    private static ZoneLoadResult Refuse(
        ZoneSlot slot, ZoneLoadResult read, string path, string message, DateTimeOffset now)
    {
        ZoneLoadResult refused = read.Refuse(new ZoneDiagnostic(Severity.Error, path, 0, 0, message));
        slot.Fail(new FileFailure(refused.Diagnostics[^1]), now);
        return refused;
    }

    // Deletes the kept version of a removed zone: it must not be served if the zone returns with another file.
    internal void Forget()
    {
        Uncount();
        lock (_gate)
            try
            {
                if (JournalCount > 0) _journal.DeleteKept();
            }
            catch (IOException)
            {
                // The zone would be served from it, with a conflict.
            }
    }

    /// <summary>
    /// Publishes what another process has appended to the journal; false if the file has to be read again for that.
    /// </summary>
    internal bool TryCatchUp()
    {
        lock (_gate)
        {
            if (owner.Find(name) is not { } slot) return true;
            return _journal.IsOpen && slot.SourceZone is { } served && Resynchronise(slot, served)
                && State.Conflict is null;
        }
    }

    /// <summary>Follows changes of another process, such as the server that this one replaces.</summary>
    /// <returns>Whether the next update can be stored.</returns>
    private bool Resynchronise(ZoneSlot slot, Zone served)
    {
        try
        {
            _journal.Close();
            _journal.Open();
            Zone next = served;
            bool isBehind = false;
            foreach (ZoneDelta delta in _journal.ReadAll())
            {
                isBehind |= delta.SerialFrom == served.Serial;
                if (!isBehind) continue;
                ZoneEditResult edited = ZoneEditor.From(next, owner.Options.Limits).Apply(delta);
                if (!edited.IsApplied) return false;
                next = edited.Zone;
                slot.Publish(next, owner.Now, delta);
            }
            return !_journal.LeadsElsewhere(next) && !_journal.IsGone(next);
        }
        catch (IOException error)
        {
            owner.Observer.OnFailed(name, error.Message);
            return false;
        }
    }

    /// <summary>Writes the served version over the file, and removes its changes from the journal.</summary>
    /// <param name="write">Writes a version to the file; it is on disk on return. Throws IOException.</param>
    /// <returns>The version; null if the file is up to date and was left unchanged.</returns>
    /// <exception cref="IOException">The write failed; the journal still has the changes.</exception>
    internal Zone? Synchronise(ZoneSlot slot, Action<Zone> write)
    {
        if (Mark(slot) is not (Zone zone, JournalBase at))
        {
            lock (_gate) State.Unsaved = null;
            return null;
        }
        write(zone);
        lock (_gate)
        {
            if (State.RaiseTo is not null) _journal.EndLoss(slot, zone);
            else if (_journal.Count > 0) _journal.StartFrom(at);
            _journal.KeepBase(zone, at);
            (State.File, State.Conflict, State.Loss, State.Unsaved, State.RaiseTo) = (at, null, null, null, null);
            if (slot.Failure is not null) slot.Publish(slot.SourceZone!, owner.Now);
        }
        return zone;
    }

    /// <summary>Writes everything out, and refuses updates from now on.</summary>
    internal Zone? Freeze(ZoneSlot slot, Action<Zone> write)
    {
        bool wasFrozen = State.IsFrozen;
        lock (_gate) State.IsFrozen = true;
        try
        {
            Zone? written = Synchronise(slot, write);
            lock (_gate)
                if (slot.SourceZone is { } version)
                    State.Frozen = (version.Serial, new WeakReference<Zone>(version));
            return written;
        }
        catch (IOException)
        {
            lock (_gate) State.IsFrozen = wasFrozen;
            throw;
        }
    }

    /// <summary>Accepts the file as it is, and permits updates again; changes that it lacks are dropped.</summary>
    /// <param name="read">Reads the file, which calls <see cref="PublishRead"/>. False if it is invalid.</param>
    internal ThawResult Thaw(Func<bool> read)
    {
        lock (_gate)
        {
            // Acknowledged changes are only dropped if the file may have been edited.
            if (!State.IsFrozen && State.Conflict is null) return ThawResult.NotFrozen;
            State.TakesFile = true;
        }
        bool isTaken = false;
        try
        {
            isTaken = read();
        }
        finally
        {
            lock (_gate)
            {
                State.TakesFile = false;
                if (isTaken) (State.IsFrozen, State.Frozen) = (false, null);
            }
        }
        return isTaken ? ThawResult.Thawed : ThawResult.FileRefused;
    }

    /// <summary>The last changes of the journal, oldest first.</summary>
    internal IReadOnlyList<ZoneDelta> ReadJournal(int most)
    {
        lock (_gate)
        {
            _journal.Open();
            return _journal.ReadLast(most);
        }
    }

    /// <summary>Marks in the journal the version about to be written; null if the file is up to date.</summary>
    private (Zone Zone, JournalBase At)? Mark(ZoneSlot slot)
    {
        for (int tries = 0; ; tries++)
        {
            Zone zone = slot.SourceZone ?? throw new IOException("there is no data of the zone");
            UInt128 digest = tries < DigestTries ? ZoneDigest.Of(zone) : 0;
            lock (_gate)
            {
                if (tries < DigestTries && !ReferenceEquals(zone, slot.SourceZone)) continue;
                zone = slot.SourceZone;
                if (tries == DigestTries) digest = ZoneDigest.Of(zone);
                _journal.Open();
                // Without a mark, which would be written over the damage that a start has to find.
                if (State.RaiseTo is not null) return _journal.Raised(zone);
                if (_journal.Count == 0 && !_journal.IsGone(zone))
                {
                    State.Loss = null;
                    return null;
                }
                JournalBase at = new(zone.Serial, digest);
                _journal.AddMark(at);
                return (zone, at);
            }
        }
    }
}
