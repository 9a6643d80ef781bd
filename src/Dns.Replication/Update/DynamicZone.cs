namespace Dns.Replication.Update;

/// <summary>
/// A dynamically updated zone: takes writes from its queue, stores them in its journal and publishes them. Thread-safe.
/// </summary>
internal sealed partial class DynamicZone
{
    // A host of ip6.arpa has as many labels below its network.
    private const int EmptyNamesOfRecord = 16;

    // Held while the zone is changed: by a writer, after reading its file, or by a command. Not longer than a flush.
    private readonly Lock _gate = new();
    private readonly DomainName name;
    private readonly DynamicZones owner;
    private readonly UpdateQueue _waiting;
    private readonly UpdateJournal _journal;

    // The memory of the published version, as counted by the owner.
    private long _bytes;

    internal DynamicZone(DomainName name, DynamicZones owner)
    {
        (this.name, this.owner) = (name, owner);
        _waiting = new UpdateQueue(owner.Options.MaxWaitingOfZone);
        _journal = new UpdateJournal(name, owner, State);
    }

    internal DomainName Name => name;

    internal DynamicState State { get; } = new();

    internal long JournalOctets => _journal.Octets;

    internal int JournalCount => _journal.Count;

    /// <summary>Queues a write; false if there is no room for one of its client.</summary>
    /// <param name="isFirst">Whether the zone must be passed to a writer.</param>
    internal bool TryQueue(QueuedWrite write, out bool isFirst)
    {
        isFirst = false;
        if (!_waiting.TryAdd(write)) return false;
        isFirst = _waiting.TrySchedule();
        return true;
    }

    /// <summary>Evaluates a group, stores it with one flush, publishes and answers; true if more are queued.</summary>
    internal bool WriteGroup()
    {
        List<Turn> group = [];
        try
        {
            lock (_gate) Write(group);
        }
        catch (Exception error)
        {
            if (group.Count == 0) TryDequeue(group, out _);
            Refuse(group, new ZoneWriteFault(ZoneWriteFaultKind.Crashed));
            owner.Observer.OnCrash(name, error);
        }
        foreach (Turn one in group) Answer(one);
        return _waiting.EndTurn();
    }

    private bool TryDequeue(List<Turn> group, [NotNullWhen(true)] out Turn? next)
    {
        next = null;
        if (group.Count >= owner.Options.MaxGroup) return false;
        if (_waiting.TryTake(out QueuedWrite? write)) group.Add(next = new Turn(write));
        return next is not null;
    }

    private void Answer(Turn one)
    {
        try
        {
            owner.Complete(one.Queued, one.Result);
        }
        catch (Exception error)
        {
            // It would end the thread, and with it the process.
            owner.Observer.OnCrash(name, error);
        }
    }

    private void Write(List<Turn> group)
    {
        if (owner.Find(name) is not { SourceZone: { } served } slot)
        {
            while (TryDequeue(group, out _)) { }
            Refuse(group, new ZoneWriteFault(ZoneWriteFaultKind.NoZone));
            return;
        }
        if (State.IsFrozen)
        {
            while (TryDequeue(group, out _)) { }
            ZoneWriteFault frozen = new(ZoneWriteFaultKind.Frozen);
            foreach (Turn one in group) owner.LogRefusal(name, one.Queued.Write.Author, frozen);
            Refuse(group, frozen);
            return;
        }
        Zone working = served;
        long octets = 0, began = owner.Time.GetTimestamp();
        while (octets < owner.Options.MaxGroupOctets
            && (group.Count == 0 || owner.Time.GetElapsedTime(began) < owner.Options.MaxGroupTime)
            && TryDequeue(group, out Turn? one))
        {
            working = EvaluateAlone(one, working, slot);
            octets += one.Queued.WorkOctets;
        }
        Turn[] changes = [.. group.Where(one => one.Step is { IsChanged: true })];
        if (changes.Length == 0) return;
        try
        {
            _journal.Append(served, [.. changes.Select(one => one.Step!.Delta!)]);
        }
        catch (IOException error)
        {
            // Evaluations after a change that is not stored are void.
            Refuse(group, new ZoneWriteFault(ZoneWriteFaultKind.NotStored) { Detail = error.Message });
            owner.Observer.OnFailed(name, error.Message);
            bool isOfAnother = error is JournalException { Fault: JournalFault.Changed };
            State.Unsaved = isOfAnother && Resynchronise(slot, served) ? null : error.Message;
            return;
        }
        State.Unsaved = null;
        Publish(slot, changes);
    }

    // A defect that a write meets fails only this one, since another client may have sent the others.
    private Zone EvaluateAlone(Turn one, Zone working, ZoneSlot slot)
    {
        try
        {
            return Evaluate(one, working, slot);
        }
        catch (Exception error)
        {
            Crash(one, error);
            return working;
        }
    }

    private void Crash(Turn one, Exception error)
    {
        one.Refuse(new ZoneWriteFault(ZoneWriteFaultKind.Crashed));
        owner.Observer.OnCrash(name, error);
    }

    private Zone Evaluate(Turn one, Zone working, ZoneSlot slot)
    {
        if (one.Queued.IsWithdrawn) return working;
        ZoneWriteStep step = ZoneWriteStep.Evaluate(one.Queued.Write, working, owner.Options.Limits);
        if (step.IsChanged && FindFault(step, slot) is { } fault) step = step.Refuse(fault);
        if (step.Faults is [var first, ..] && first.Kind is not ZoneWriteFaultKind.Prerequisite)
            owner.LogRefusal(name, one.Queued.Write.Author, first);
        one.Step = step;
        return step.Now!;
    }

    /// <summary>Why a change is not accepted, apart from the data; null if it is.</summary>
    private ZoneWriteFault? FindFault(ZoneWriteStep step, ZoneSlot slot)
    {
        // The file makes the zone.
        if (step is not { Now: { } next, Before: { } before, Delta: { } delta })
            return new ZoneWriteFault(ZoneWriteFaultKind.NotWritable);
        if (HasTooManyEmptyNames(next, before)) return new ZoneWriteFault(ZoneWriteFaultKind.TooManyEmptyNames);
        bool grows = next.RecordCount > before.RecordCount || next.NameCount > before.NameCount
            || delta.Added.Octets > delta.Removed.Octets;
        long most = owner.Options.MaxZoneBytes, others = owner.ZoneBytes - _bytes;
        if (grows && others + BytesOf(next, slot.IsSignedHere) > most)
            return new ZoneWriteFault(slot.IsSignedHere
                ? ZoneWriteFaultKind.SignedZonesTooLarge : ZoneWriteFaultKind.ZonesTooLarge) { Most = most };
        // The client tries again, instead of believing that it is served.
        return slot.SigningFailure is { } failure && delta.Added.Count > 1
            ? new ZoneWriteFault(ZoneWriteFaultKind.NotSigned) { Detail = failure.Text } : null;
    }

    /// <summary>Counts the memory of the version that is published now.</summary>
    private void Measure(ZoneSlot slot)
    {
        long bytes = slot.SourceZone is { } zone ? BytesOf(zone, slot.IsSignedHere) : 0;
        owner.CountBytes(bytes - _bytes);
        _bytes = bytes;
    }

    /// <summary>The zone is not published any more.</summary>
    internal void Uncount()
    {
        lock (_gate)
        {
            owner.CountBytes(-_bytes);
            _bytes = 0;
        }
    }

    private static long BytesOf(Zone zone, bool isSigned) =>
        zone.MemoryBytes + (isSigned ? UpdateOptions.SigningBytes * (zone.NameCount + zone.RecordCount) : 0);

    // Names with data are no more than records, so that the rest is empty.
    private bool HasTooManyEmptyNames(Zone next, Zone before) => next.NameCount > before.NameCount
        && next.NameCount - next.RecordCount > owner.Options.MaxEmptyNames + EmptyNamesOfRecord * next.RecordCount;

    private void Publish(ZoneSlot slot, Turn[] changes)
    {
        ZoneFailure? failure = slot.SourceFailure;
        DateTimeOffset now = owner.Now;
        foreach (Turn one in changes) PublishAlone(slot, one, now);
        Measure(slot);
        // An update does not repair the file.
        if (failure is not null) slot.Fail(failure, now);
        _journal.CompactIfNeeded();
    }

    /// <summary>Publishes a change that is on disk; after a defect the next version includes it.</summary>
    private void PublishAlone(ZoneSlot slot, Turn one, DateTimeOffset now)
    {
        try
        {
            (Zone zone, ZoneDelta delta) = (one.Step!.Now!, one.Step.Delta!);
            bool isNext = slot.SourceZone?.Serial == delta.SerialFrom;
            slot.Publish(zone, now, isNext ? delta : null);
            owner.Observer.OnApplied(
                name, one.Queued.Write.Author, delta.Removed.Count, delta.Added.Count, zone.Serial);
        }
        catch (Exception error)
        {
            Crash(one, error);
        }
    }

    private static void Refuse(List<Turn> group, ZoneWriteFault fault)
    {
        foreach (Turn one in group) one.Refuse(fault);
    }

    /// <summary>A write in its group, with what was made of it.</summary>
    private sealed class Turn(QueuedWrite queued)
    {
        private ZoneWriteFault? _fault;

        internal QueuedWrite Queued => queued;

        /// <summary>The evaluation; null if it was withdrawn or refused before.</summary>
        internal ZoneWriteStep? Step { get; set; }

        internal ZoneWriteResult Result => _fault is not null ? ZoneWriteResult.Of(_fault)
            : Step?.Result ?? new ZoneWriteResult(null, false, []);

        internal void Refuse(ZoneWriteFault fault) => (_fault, Step) = (fault, null);
    }
}
