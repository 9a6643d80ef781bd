namespace Dns.Replication.Update;

/// <summary>
/// The changes of a zone that its file lacks: the journal in the state directory, and beside it the version that it
/// starts from. Used under the gate of the zone; all methods may throw <see cref="IOException"/>.
/// </summary>
internal sealed class UpdateJournal(DomainName name, DynamicZones owner, DynamicState state)
{
    /// <summary>Added to the serial before the changes, if their number is unknown.</summary>
    internal const uint MostUnknownVersions = 100_000;

    // A journal that cannot be compacted further is not read again before it has grown by this factor.
    private const double CompactionGrowth = 1.25;

    private ZoneJournal? _journal;
    private long _compactedOctets;

    /// <summary>Length of the file; 0 if there is none, or it is not open.</summary>
    internal long Octets => _journal?.Octets ?? 0;

    /// <summary>The number of changes.</summary>
    internal int Count => _journal?.Count ?? 0;

    /// <summary>The serial that the changes lead to; null for none.</summary>
    internal uint? Serial => _journal?.Serial;

    internal bool IsOpen => _journal is not null;

    private string KeptPath => owner.PathOf(name, DynamicZones.KeptEnding);

    private bool MayWrite => owner.Handover.MayWrite;

    /// <summary>Opens it, unless it is.</summary>
    /// <param name="start">The version of the file if it is the only one known; null while the zone is served.</param>
    internal void Open(JournalBase? start = null)
    {
        if (_journal is not null) return;
        string path = owner.PathOf(name, DynamicZones.JournalEnding);
        bool hadChanges = start is not null && (owner.Files.Exists(path) || owner.Files.Exists(KeptPath));
        _journal = ZoneJournal.Open(path, name, owner.Options.Journal, owner.Files);
        if (hadChanges && _journal.Count == 0 && _journal.Loss is not { IsTorn: false }) TakeLossOfAll(start!.Value);
        else if (_journal.Loss is { } loss) TakeLoss(loss);
    }

    /// <summary>Forgets what was read: another process may have changed the file.</summary>
    internal void Close() => _journal = null;

    /// <summary>The last changes, oldest first.</summary>
    internal IReadOnlyList<ZoneDelta> ReadLast(int most) => [.. _journal!.Read(Math.Max(0, Count - most))];

    /// <summary>All changes, oldest first.</summary>
    internal IEnumerable<ZoneDelta> ReadAll() => _journal!.Read();

    /// <summary>The last mark of a version; null if it has none.</summary>
    internal JournalMark? FindMark(JournalBase version) =>
        _journal?.Marks.LastOrDefault(mark => mark.Base == version) is { } mark && mark != default ? mark : null;

    /// <summary>The conflict with a file that has no mark.</summary>
    internal FileConflict ConflictWith(string path, JournalBase file, bool isServed, bool isToBeAdded) =>
        new(name, path, file, _journal!.Path, _journal.Base!.Value, Count, Serial, isServed, isToBeAdded);

    /// <summary>Appends changes of the served version; on return they are on disk.</summary>
    internal void Append(Zone served, IReadOnlyList<ZoneDelta> deltas)
    {
        Open();
        ZoneJournal journal = _journal!;
        // Found while the zone is served, as after a takeover.
        if (state.RaiseTo is not null)
            throw new JournalException(JournalFault.Damaged,
                $"{journal.Path}: it is damaged: \"dnsd zone sync {name}\" writes out what is served");
        if (LeadsElsewhere(served))
            throw new JournalException(JournalFault.Changed,
                $"{journal.Path}: it leads to serial {journal.Serial}, and {served.Serial} is served: " +
                    $"\"dnsd zone reload {name}\" reads it again");
        if (IsGone(served))
            throw new JournalException(JournalFault.Changed,
                $"{journal.Path}: it is gone, with what was changed since the file: \"dnsd zone sync {name}\" " +
                    $"writes out what is served");
        if (journal.Count > 0)
        {
            journal.Append(deltas);
            return;
        }
        JournalBase from = state.File ?? new JournalBase(served.Serial, ZoneDigest.Of(served));
        journal.Append(deltas, from);
        KeepBase(served, from);
    }

    internal bool LeadsElsewhere(Zone served) => Serial is { } last && last != served.Serial;

    /// <summary>Whether the journal was removed by hand: the served version differs from the file.</summary>
    internal bool IsGone(Zone served) => Count == 0 && state.File is { } file && file.Serial != served.Serial;

    /// <summary>Marks the version about to be written to the file.</summary>
    internal void AddMark(JournalBase at) => _journal!.AddMark(at);

    /// <summary>
    /// Removes the changes before a version. Without one left, the kept version goes first: alone it says that changes
    /// are lost.
    /// </summary>
    internal void StartFrom(JournalBase at)
    {
        owner.Files.Delete(KeptPath);
        _journal!.StartFrom(at);
    }

    /// <summary>Discards the changes in favour of the file; one old journal is kept beside it.</summary>
    internal void Drop()
    {
        owner.Files.Delete(KeptPath);
        if (Octets > 0) owner.Files.Move(_journal!.Path, _journal.Path + DynamicZones.DroppedEnding);
        _journal = null;
        (state.RaiseTo, state.Loss) = (null, null);
        Open();
    }

    /// <summary>Applies the changes since a version; after a loss, raises the serial.</summary>
    internal Zone Replay(Zone from, JournalMark mark, out IReadOnlyList<ZoneDelta> deltas)
    {
        DeltaReplay replay = ReplayFrom(from);
        Zone last = Apply(replay, _journal!.Read(mark.Index));
        if (RaiseOf(last) is { } raise)
        {
            _journal.Append(raise);
            state.RaiseTo = null;
            last = Apply(replay, [raise]);
        }
        deltas = replay.Deltas;
        return last;
    }

    private DeltaReplay ReplayFrom(Zone zone) => new(zone, owner.Options.Limits, ZoneHistory.DefaultMaxBytes);

    private Zone Apply(DeltaReplay replay, IEnumerable<ZoneDelta> changes) =>
        replay.TryApply(changes, out ZoneEditError? error) ? replay.Zone
            : throw new IOException($"{_journal!.Path}: {error.Message}");

    /// <summary>Stores the served version beside the journal, since the base of its changes is gone.</summary>
    internal void Keep(Zone served)
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

    /// <summary>
    /// Keeps the version that the journal starts from, if it is small. If the file is edited while the server is down,
    /// both restore the served version.
    /// </summary>
    internal void KeepBase(Zone zone, JournalBase at)
    {
        try
        {
            if (Count == 0 || zone.RecordCount > owner.Options.MaxKeptRecords) owner.Files.Delete(KeptPath);
            else owner.Files.Move(WriteAside(zone, at), KeptPath);
        }
        catch (IOException)
        {
            // Only needed if the file is edited while the server is down.
        }
    }

    /// <summary>Whether the version that the journal starts from is kept.</summary>
    internal bool HasKept => owner.Files.Exists(KeptPath);

    internal void DeleteKept() => owner.Files.Delete(KeptPath);

    private string WriteAside(Zone zone, JournalBase at)
    {
        string aside = owner.PathOf(name, DynamicZones.KeptEnding + ".new");
        owner.Files.Delete(aside);
        using IJournalFile file = owner.Files.Create(aside);
        ZoneCopyWriter.Write(file, name, new ZoneCopy(zone, default), at);
        return aside;
    }

    /// <summary>The last served version: the kept one with later changes; null if unknown.</summary>
    internal Zone? TryReadKept() => TryReadKept(out JournalBase at) is { } copy && FindMark(at) is { } mark
        ? Replay(copy.Zone, mark, out _) : null;

    private ZoneCopy? TryReadKept(out JournalBase at)
    {
        at = default;
        if (!owner.Files.TryOpen(KeptPath, out IJournalFile? file)) return null;
        using (file)
            return ZoneCopyReader.TryRead(file, name, owner.Options.Limits, out ZoneCopy? copy, out at, out _, default)
                ? copy : null;
    }

    /// <summary>Condenses all changes into one, unless it would take too much memory to read it again.</summary>
    internal void CompactIfNeeded()
    {
        ZoneJournal journal = _journal!;
        if (!journal.NeedsCompaction || journal.Marks.Count > 1
            || journal.Octets < _compactedOctets * CompactionGrowth) return;
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

    // A journal has its first change when it gets its name, and goes after the kept version: one without changes, or a
    // kept version alone, had changes that served versions have.
    private void TakeLossOfAll(JournalBase file)
    {
        JournalBase from = _journal!.Base ?? (TryReadKept(out JournalBase at) is null ? file : at);
        TakeLoss(JournalLoss.OfAll(unchecked(from.Serial + MostUnknownVersions)));
    }

    private void TakeLoss(JournalLoss loss)
    {
        owner.Observer.OnLoss(name, _journal!.Path, loss);
        // An incomplete end was never acknowledged nor served.
        if (loss.SerialBound is not { } serial) return;
        (state.RaiseTo, state.Loss) = (serial, new UpdateLoss(_journal.Path, loss, serial, name));
    }

    /// <summary>After a loss: the served version with a serial above that of any lost one.</summary>
    internal (Zone Zone, JournalBase At) Raised(Zone served)
    {
        if (RaiseOf(served) is { } raise) served = Apply(ReplayFrom(served), [raise]);
        return (served, new JournalBase(served.Serial, ZoneDigest.Of(served)));
    }

    /// <summary>Serves that version, which is on disk, and removes the journal, which leads to others.</summary>
    internal void EndLoss(ZoneSlot slot, Zone raised)
    {
        owner.Files.Delete(KeptPath);
        _journal!.Reset();
        if (!ReferenceEquals(slot.SourceZone, raised))
            slot.Publish(raised, owner.Now, slot.SourceZone is { } served ? RaiseOf(served) : null);
    }

    /// <summary>After a loss that has left no change: the journal starts again from the file.</summary>
    internal void RaiseFromFile(Zone read, JournalBase file)
    {
        if (RaiseOf(read) is { } raise)
        {
            _journal!.Replace(file, [raise]);
            owner.Files.Delete(KeptPath);
        }
        // The header may be that of a version before this file.
        else if (Octets > 0 && MayWrite) _journal!.Reset();
        state.RaiseTo = null;
    }

    /// <summary>After a loss: a change of the serial alone, above that of any lost version; null for none.</summary>
    private ZoneDelta? RaiseOf(Zone last)
    {
        if (state.RaiseTo is not { } serial || !SerialNumber.IsGreater(serial, last.Serial) ||
            !last.ApexNode.TryFind(RRType.SOA, out RRset soa))
            return null;
        byte[] rdata = soa.First.ToArray();
        BinaryPrimitives.WriteUInt32BigEndian(rdata.AsSpan(rdata.Length - UpdatedName.SerialFromEnd), serial);
        ZoneDeltaBuilder builder = new(name, last.Serial);
        builder.Remove(last.Apex, RRType.SOA, soa.First, soa.Ttl);
        builder.Add(last.Apex, RRType.SOA, soa.Ttl, rdata);
        return builder.Build();
    }
}
