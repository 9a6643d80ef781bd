namespace Dns.Replication.Update;

/// <summary>A dynamically updated zone: its queue, its journal, and the relation to its file. Thread-safe.</summary>
internal sealed partial class DynamicZone(DomainName name, DynamicZones owner)
{
    // Held while the zone is changed: by a writer, after reading its file, or by a command. Not longer than a flush.
    private readonly Lock _gate = new();
    // A host of ip6.arpa has as many labels below its network.
    private const int EmptyNamesOfRecord = 16;

    private readonly Lock _waitingGate = new();
    private readonly UpdateQueue _waiting = new(owner.Options.MaxWaitingOfZone);
    private bool _isScheduled;

    private ZoneJournal? _journal;
    private JournalBase? _fileBase;
    private bool _takesFile;

    // Set until the serial is raised, which is on disk before the zone is served.
    private uint? _raiseTo;

    internal DomainName Name => name;

    /// <summary>Whether updates are refused so that the file can be edited.</summary>
    internal bool IsFrozen { get; private set; }

    /// <summary>The version that <see cref="Freeze"/> left, and its serial; null while updates are permitted.</summary>
    internal (uint Serial, WeakReference<Zone> Version)? Frozen { get; private set; }

    /// <summary>The conflict between file and journal; null for none.</summary>
    internal string? Conflict { get; private set; }

    /// <summary>The updates that were lost, until the zone is written to its file; null for none.</summary>
    internal string? Loss { get; private set; }

    /// <summary>Why the last updates could not be stored; null if they were.</summary>
    internal string? Unsaved { get; private set; }

    // The memory of the published version, as counted by the owner.
    private long _bytes;

    internal long JournalOctets => _journal?.Octets ?? 0;

    internal int JournalCount => _journal?.Count ?? 0;

    /// <summary>Queues an update; false if there is no room for one of its client.</summary>
    /// <param name="isFirst">Whether the zone must be passed to a writer.</param>
    internal bool TryQueue(UpdateRequest request, out bool isFirst)
    {
        lock (_waitingGate)
        {
            isFirst = false;
            if (!_waiting.TryAdd(request)) return false;
            (isFirst, _isScheduled) = (!_isScheduled, true);
            return true;
        }
    }

    /// <summary>Evaluates a group, stores it with one flush, publishes and answers; true if more are queued.</summary>
    internal bool WriteGroup()
    {
        List<Outcome> group = [];
        try
        {
            lock (_gate) Write(group);
        }
        catch (Exception error)
        {
            if (group.Count == 0) TryDequeue(group, out _);
            foreach (Outcome one in group) (one.Rcode, one.Result) = (Rcode.ServFail, UpdateResult.Failed);
            owner.Observer.OnCrash(name, error);
        }
        foreach (Outcome one in group) Answer(one);
        lock (_waitingGate) return _isScheduled = _waiting.Count > 0;
    }

    private bool TryDequeue(List<Outcome> group, [NotNullWhen(true)] out Outcome? next)
    {
        next = null;
        if (group.Count >= owner.Options.MaxGroup) return false;
        lock (_waitingGate)
            if (_waiting.TryTake(out UpdateRequest? request)) group.Add(next = new Outcome(request));
        return next is not null;
    }

    private void Answer(Outcome one)
    {
        owner.Answered(one.Request, one.Result);
        try
        {
            one.Request.Answer(one.Rcode);
        }
        catch (Exception error)
        {
            // It would end the thread, and with it the process.
            owner.Observer.OnCrash(name, error);
        }
    }

    private void Write(List<Outcome> group)
    {
        if (owner.Find(name) is not { SourceZone: { } served } slot)
        {
            while (TryDequeue(group, out _)) { }
            Fail(group, Rcode.ServFail, UpdateResult.Failed);
            return;
        }
        if (IsFrozen)
        {
            while (TryDequeue(group, out Outcome? one))
                owner.LogRefusal(name, one.Request.Client, one.Request.Key,
                    "the zone is frozen until \"dnsd zone thaw\"");
            Fail(group, Rcode.Refused, UpdateResult.Refused);
            return;
        }
        Zone working = served;
        long octets = 0, began = owner.Time.GetTimestamp();
        while (octets < owner.Options.MaxGroupOctets
            && (group.Count == 0 || owner.Time.GetElapsedTime(began) < owner.Options.MaxGroupTime)
            && TryDequeue(group, out Outcome? one))
        {
            working = EvaluateAlone(one, working, slot);
            octets += one.Octets;
        }
        Outcome[] changes = [.. group.Where(one => one.Delta is not null)];
        if (changes.Length == 0) return;
        try
        {
            Keep(served, [.. changes.Select(one => one.Delta!)]);
        }
        catch (IOException error)
        {
            // Evaluations after a change that is not stored are void.
            Fail(group, Rcode.ServFail, UpdateResult.Failed);
            owner.Observer.OnFailed(name, error.Message);
            bool isOfAnother = error is JournalException { Fault: JournalFault.Changed };
            Unsaved = isOfAnother && Resynchronise(slot, served) ? null : error.Message;
            return;
        }
        Unsaved = null;
        Publish(slot, changes);
    }

    // A defect that an update meets fails only this one, since another client may have sent the others.
    private Zone EvaluateAlone(Outcome one, Zone working, ZoneSlot slot)
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

    private void Crash(Outcome one, Exception error)
    {
        (one.Rcode, one.Result, one.Delta) = (Rcode.ServFail, UpdateResult.Failed, null);
        owner.Observer.OnCrash(name, error);
    }

    private Zone Evaluate(Outcome one, Zone working, ZoneSlot slot)
    {
        UpdateChange change = default;
        one.Rcode = one.Request.Read(out UpdateMessage? message);
        if (message is not null)
            one.Rcode = UpdateEvaluation.Evaluate(working, message, owner.Options, out change);
        one.Octets = change.Octets;
        one.Result = one.Rcode switch
        {
            Rcode.NoError => UpdateResult.Unchanged,
            Rcode.FormErr or Rcode.NotZone => UpdateResult.Malformed,
            _ => UpdateResult.Prerequisite,
        };
        if (change.Refusal is { } reason) return Refuse(one, reason, working);
        if (change.Delta is not { } delta) return working;
        ZoneEditResult edited = ZoneEditor.From(working, owner.Options.Limits).Apply(delta);
        if (!edited.IsApplied) return Refuse(one, edited.Error.Message, working);
        if (FindLimit(edited.Zone, working, delta, slot.IsSignedHere) is { } limit) return Refuse(one, limit, working);
        // The client tries again, instead of believing that it is served.
        if (slot.SigningFailure is { } failure && delta.Added.Count > 1)
        {
            Refuse(one, $"the last version is not served, and only removals are accepted: {failure}", working);
            (one.Rcode, one.Result) = (Rcode.ServFail, UpdateResult.Failed);
            return working;
        }
        (one.Delta, one.Zone, one.Result) = (delta, edited.Zone, UpdateResult.Applied);
        return edited.Zone;
    }

    /// <summary>The limit that a version which has grown exceeds; null for none.</summary>
    private string? FindLimit(Zone next, Zone working, ZoneDelta delta, bool isSigned)
    {
        if (HasTooManyEmptyNames(next, working))
            return "the zone would have too many empty non-terminals for its records";
        bool grows = next.RecordCount > working.RecordCount || next.NameCount > working.NameCount
            || delta.Added.Octets > delta.Removed.Octets;
        long most = owner.Options.MaxZoneBytes, others = owner.ZoneBytes - _bytes;
        return !grows || others + BytesOf(next, isSigned) <= most ? null
            : $"the zones that are updated would take more than {most:N0} bytes of memory"
                + (isSigned ? ", with its signatures" : "");
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
    private bool HasTooManyEmptyNames(Zone next, Zone working) => next.NameCount > working.NameCount
        && next.NameCount - next.RecordCount > owner.Options.MaxEmptyNames + EmptyNamesOfRecord * next.RecordCount;

    private Zone Refuse(Outcome one, string reason, Zone working)
    {
        (one.Rcode, one.Result) = (Rcode.Refused, UpdateResult.Refused);
        owner.LogRefusal(name, one.Request.Client, one.Request.Key, reason);
        return working;
    }

    private void Keep(Zone served, IReadOnlyList<ZoneDelta> deltas)
    {
        OpenJournal();
        RequireRaised();
        ZoneJournal journal = _journal!;
        if (LeadsElsewhere(served))
        {
            throw new JournalException(
                JournalFault.Changed,
                $"{journal.Path}: it leads to serial {journal.Serial}, and {served.Serial} is served: " +
                    $"\"dnsd zone reload {name}\" reads it again");
        }
        if (LacksJournal(served))
        {
            throw new JournalException(
                JournalFault.Changed,
                $"{journal.Path}: it is gone, with what was changed since the file: \"dnsd zone sync {name}\" " +
                    $"writes out what is served");
        }
        if (journal.Count > 0)
        {
            journal.Append(deltas);
            return;
        }
        JournalBase from = _fileBase ?? new JournalBase(served.Serial, ZoneDigest.Of(served));
        journal.Append(deltas, from);
        KeepBase(served, from);
    }

    private bool LeadsElsewhere(Zone served) => _journal!.Serial is { } last && last != served.Serial;

    // Whether the served version differs from the file without a journal, which was removed by hand.
    private bool LacksJournal(Zone served) =>
        _journal!.Count == 0 && _fileBase is { } file && file.Serial != served.Serial;

    private void Publish(ZoneSlot slot, Outcome[] changes)
    {
        string? failure = slot.SourceFailure;
        DateTimeOffset now = owner.Now;
        foreach (Outcome one in changes) PublishAlone(slot, one, now);
        Measure(slot);
        // An update does not repair the file.
        if (failure is not null) slot.Fail(failure, now);
        if (_journal!.NeedsCompaction) Compact();
    }

    /// <summary>Publishes a change that is on disk; after a defect the next version includes it.</summary>
    private void PublishAlone(ZoneSlot slot, Outcome one, DateTimeOffset now)
    {
        try
        {
            bool isNext = slot.SourceZone?.Serial == one.Delta!.SerialFrom;
            slot.Publish(one.Zone!, now, isNext ? one.Delta : null);
            owner.Observer.OnApplied(
                name, one.Request.Client, one.Request.Key, one.Delta.Removed.Count, one.Delta.Added.Count,
                one.Zone!.Serial);
        }
        catch (Exception error)
        {
            Crash(one, error);
        }
    }

    private static void Fail(List<Outcome> group, Rcode rcode, UpdateResult result)
    {
        foreach (Outcome one in group) (one.Rcode, one.Result, one.Delta) = (rcode, result, null);
    }

    /// <summary>An update in its group, with its result.</summary>
    private sealed class Outcome(UpdateRequest request)
    {
        internal UpdateRequest Request { get; } = request;

        internal Rcode Rcode { get; set; }

        internal UpdateResult Result { get; set; }

        internal ZoneDelta? Delta { get; set; }

        internal Zone? Zone { get; set; }

        internal long Octets { get; set; }
    }
}
