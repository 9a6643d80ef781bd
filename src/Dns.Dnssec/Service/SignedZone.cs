namespace Dns.Dnssec.Service;

/// <summary>
/// One zone that is signed here: the newest version of its source, the served signed version, and the keys. One thread
/// works on it at a time: the source's after a small change, else one of <see cref="ZoneSigning"/>.
/// </summary>
internal sealed partial class SignedZone
{
    // A step of the keys may enable others at once. More than this number is a bug, and waits.
    private const int MostTurns = 16;

    /// <summary>Above this, the digest of the zone takes too long for the thread of a change.</summary>
    private const int MostNamesDigested = 20_000;

    /// <summary>What a change may affect for it to be signed at once, by its records.</summary>
    private const int LeastNamesAtOnce = 64, NamesOfRecord = 4;

    private static readonly TimeSpan FirstRetry = TimeSpan.FromSeconds(5), LongestRetry = TimeSpan.FromHours(1);

    private readonly Lock _gate = new();
    private volatile Zone? _wanted;
    private readonly ZoneSlot _slot;
    private readonly ZoneSigning _owner;
    private readonly CopyKeeper _copies;
    private readonly ParentWatch _parent;
    private volatile SigningState _status;
    private volatile SigningProgressNote? _progress;
    private volatile DnssecPolicy? _wantedPolicy;
    private volatile bool _isClockSet;
    private readonly KeyDriver _keys;
    private Zone? _from;
    private Zone? _signed;
    private RefreshRound _round = new();
    private DateTimeOffset? _refreshDue;
    private bool _isCopyLoaded, _isLoaded;
    private volatile bool _isHeld;
    private string? _copyProblem, _reportedProblem;
    private int _failures;

    /// <param name="policy">Its policy; null = it becomes unsigned as soon as possible.</param>
    internal SignedZone(ZoneSlot slot, DnssecPolicy? policy, ZoneSigning owner)
    {
        (_slot, _owner, _wantedPolicy) = (slot, owner, policy);
        _status = new SigningState(policy?.Name ?? "", null, null);
        (_copies, _parent) = (new CopyKeeper(this, owner), new ParentWatch(this, owner));
        _keys = new KeyDriver(slot, owner, _parent, policy ?? DnssecPolicy.Default, () => UpdateStatus(_status.Error));
    }

    internal ZoneSlot Slot => _slot;

    /// <summary>When it is due; owned by the schedule.</summary>
    internal DateTimeOffset? Due { get; set; }

    /// <summary>Whether it waits for a thread; owned by <see cref="ZoneSigning"/>.</summary>
    internal bool IsQueued { get; set; }

    /// <summary>Whether it is no longer signed here.</summary>
    internal volatile bool IsGone;

    /// <summary>Whether its versions may be written.</summary>
    internal bool MayWrite => !IsGone && !_isHeld;

    /// <summary>Whether all served versions are on disk, also those before the start.</summary>
    // Until a version above the lost ones is saved, the next start has to continue above them, too.
    internal bool IsSaved => !_isHeld && _lostSerial is null
        && (_isCopyLoaded || !_owner.MayLackVersions(_slot.Name)) && _copies.IsSaved;

    /// <summary>Writes unsaved versions.</summary>
    internal void Save() => _copies.Save();

    /// <summary>Deletes the saved version and key state of a zone for which <see cref="End"/> was called.</summary>
    internal void DeleteKept()
    {
        _copies.Delete();
        try
        {
            _owner.Keys.DeleteState(_slot.Name);
        }
        catch (IOException)
        {
            // The next start finds that the zone needs no signatures.
        }
    }

    internal SigningState Status => _progress is { } note ? _status with { Progress = note.Progress } : _status;

    /// <summary>Sets another policy, or none, for the next turn.</summary>
    internal void Use(DnssecPolicy? next)
    {
        // Without the lock, since a publication must not wait for signing.
        if (_wantedPolicy == next) return;
        _wantedPolicy = next;
        _owner.Queue(this);
    }

    /// <summary>Checks all signatures in the next turn: the clock was set, so some may be early or expired.</summary>
    internal void OnClockSet()
    {
        _isClockSet = true;
        _owner.Queue(this);
    }

    /// <summary>Accepts a version of the source: signs a small change at once, unless another thread signs.</summary>
    internal void Take(in ZoneVersionChange source)
    {
        _wanted = source.Now;
        // The threads of the source and of the settings may pass versions in another order.
        while (_slot.SourceZone is { } latest && !ReferenceEquals(_wanted, latest)) _wanted = latest;
        bool isDone = false;
        if (source.Delta is { } delta && delta.Removed.Count + delta.Added.Count <= _owner.Options.SmallChange &&
            _gate.TryEnter())
        {
            try
            {
                isDone = TrySignChange(source.Before, source.Now, delta);
            }
            catch (SigningFailedException)
            {
                // The next turn reports it.
            }
            catch (Exception error)
            {
                _owner.Observer.OnCrash(_slot.Name, error);
            }
            finally
            {
                _gate.Exit();
            }
        }
        if (!isDone) _owner.Queue(this);
    }

    /// <summary>Does the due work, and reschedules the zone.</summary>
    internal void Run(CancellationToken cancellation)
    {
        lock (_gate)
        {
            if (IsGone)
            {
                _keys.Close();
                return;
            }
            DateTimeOffset? due;
            try
            {
                Work(cancellation);
                if (IsGone) return;
                if (_failures > 0) Recover();
                due = Earlier(_refreshDue, _keys.Step?.Next);
                if (!_isHeld) _parent.Run(_keys.Policy, _keys.Step?.Plan);
                due = Earlier(Earlier(due, _parent.Due), _keys.Bundle.WarnDue);
                UpdateStatus(null);
            }
            catch (OperationCanceledException)
            {
                return;
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException or SigningFailedException)
            {
                due = Fail(error is SigningFailedException ? error.Message : $"it cannot be signed: {error.Message}");
            }
            catch (Exception error)
            {
                _owner.Observer.OnCrash(_slot.Name, error);
                due = Fail($"it cannot be signed: unexpected exception: {error.Message}");
            }
            finally
            {
                _progress = null;
            }
            _owner.Schedule.Set(this, Earlier(due, _copies.Retry()));
        }
    }

    /// <summary>Ends the zone: its keys are disposed after the last signature.</summary>
    internal void End()
    {
        IsGone = true;
        if (!_gate.TryEnter()) return;
        try
        {
            _keys.Close();
        }
        finally
        {
            _gate.Exit();
        }
    }

    private void Work(CancellationToken cancellation)
    {
        if (_wanted is not { } source) return;
        FollowHold();
        Load(source, cancellation);
        if (_isHeld && !KeyRollover.PlanOf(_keys.Keys).IsSigned)
        {
            ServeWithoutSigning();
            return;
        }
        if (_isClockSet)
        {
            _isClockSet = false;
            (_round, _refreshDue) = (new RefreshRound(), _owner.Now);
            _parent.Reset();
            _keys.Bundle.Reset();
        }
        string? keyFault = null;
        bool isCurrent = false;
        for (int turn = 0; turn < MostTurns && !isCurrent; turn++)
        {
            bool isOtherPlan =
                _keys.TryStep(source, _wantedPolicy, _isHeld, (_signed, _from), ref keyFault);
            if (isOtherPlan || _isRefused || !ReferenceEquals(_from, source)) Sign(source, cancellation);
            else isCurrent = true;
            // The source may have changed meanwhile.
            isCurrent &= ReferenceEquals(source, _wanted);
            source = _wanted!;
            if (IsGone) return;
        }
        // A source that had expired may confirm the same version.
        if (_slot.Zone is null && _signed is { } signed) ServeSigned(signed, null, source);
        if (_keys.Plan is null) _refreshDue = null;
        if (_refreshDue <= _owner.Now) Refresh();
        if (_keys.Bundle.Fault is { } missing) throw new SigningFailedException(missing);
        ThrowIfNextUnsafe();
        if (keyFault is not null)
            throw new SigningFailedException($"its keys stay as they are, since they cannot be kept: {keyFault}");
    }

    /// <summary>When another process that served the zone has ended: the keys as it left them.</summary>
    private void FollowHold()
    {
        bool isHeld = !_owner.Handover.MayWrite;
        if (_isHeld && !isHeld && _isLoaded)
        {
            _keys.Load(leaves: _wantedPolicy is null);
            ContinueSerials();
        }
        _isHeld = isHeld;
        if (isHeld) _owner.Handover.Withhold(_slot.Name);
        // Secondaries get no version whose serial the next start might use again.
        if (isHeld || _owner.Handover.MaySend(_slot.Name)
            || (_signed is { } served && FindSerialFault(served) is not null)) return;
        _owner.Handover.Admit(_slot.Name);
        _owner.QueueSaving(this);
    }

    private void Recover()
    {
        _owner.Observer.OnRecovered(_slot.Name);
        _failures = 0;
        // Without new signatures, clear the slot's error separately.
        if (_signed is { } signed && _slot.Failure is not null) _slot.PublishSigned(signed, _owner.Now, null, _from);
    }

    /// <summary>Loads the saved version, which can be served without the keys, and then the keys.</summary>
    private void Load(Zone source, CancellationToken cancellation)
    {
        if (_isLoaded) return;
        LoadCopy(cancellation);
        _keys.Load(leaves: _wantedPolicy is null);
        new LostKeys(_slot, _owner, _keys.Keys, _keys.Bundle.Sets).ThrowIfAny(source, _signed, _copyProblem);
        _isCopyLoaded = true;
        ContinueSerials();
        _isLoaded = true;
    }

    private void LoadCopy(CancellationToken cancellation)
    {
        if (_isCopyLoaded) return;
        if (_owner.Kept.TryLoad(_slot.Name, out Zone? kept, out IReadOnlyList<ZoneDelta> deltas, out _copyProblem,
            cancellation))
        {
            _signed = kept;
            // A damaged copy lacks those behind the damage.
            if (_copyProblem is not null || _owner.MayLackVersions(_slot.Name))
                _lostSerial = unchecked(kept.Serial + MostLostVersions);
            _copies.SavedSerial = kept.Serial;
            _keys.NoteServed(kept, null);
            if (deltas.Count > 0) _restored = deltas;
        }
        // Secondaries ignore a version whose serial goes back.
        else if (_copyProblem is not null && _owner.Kept.FindSerial(_slot.Name) is { } serial)
        {
            _lostSerial = unchecked(serial + MostLostVersions);
        }
        if (_copyProblem is not null && _copyProblem != _reportedProblem)
            _owner.Observer.OnBroken(_slot.Name, _copyProblem);
        _reportedProblem = _copyProblem;
        // Otherwise it may be readable at the next try, unless the zone is signed without it.
        _isCopyLoaded = _copyProblem is null || _signed is not null;
    }

    private DateTimeOffset Fail(string reason)
    {
        _failures++;
        ServeWithoutSigning();
        if (_slot.IsServedUnsigned) reason = reason.TrimEnd('.') + "; it is served unsigned until it is signed";
        if (_status.Error != reason) _owner.Observer.OnFailed(_slot.Name, reason);
        UpdateStatus(reason);
        _slot.FailSigning(new UnsignedFailure(reason), _owner.Now);
        return _owner.Now + RetryAfter(_failures);
    }

    internal static TimeSpan RetryAfter(int failures)
    {
        TimeSpan wait = FirstRetry * (1 << Math.Min(failures - 1, 10));
        return wait < LongestRetry ? wait : LongestRetry;
    }

    /// <summary>
    /// Serves, if nothing is, the saved version, whose signatures may be valid for days, or the source's if the zone
    /// was never signed.
    /// </summary>
    private void ServeWithoutSigning()
    {
        if (_slot.Zone is not null) return;
        if (_signed is { } kept)
        {
            if (IsComplete(kept)) ServeSigned(kept, null, null);
        }
        else if (_isLoaded && _copyProblem is null && !_keys.Keys.MayHaveBeenServed) _slot.ServeUntilSigned(_owner.Now);
    }

    /// <summary>Whether a version has all signatures: a key makes those of compact denial.</summary>
    private static bool IsComplete(Zone version) => !version.IsSigned
        || version.ApexNode.TryFind(RRType.NSEC, out _) || version.ApexNode.TryFind(RRType.NSEC3PARAM, out _);

    private void UpdateStatus(string? error) => _status = new SigningState(
        _keys.Policy.Name, _wanted?.Serial, _from?.Serial)
    {
        Denial = _keys.Policy.Denial,
        Keys = _keys.Keys,
        Waits = _keys.Step?.Waits ?? [],
        NextRefresh = _refreshDue,
        Error = error ?? _copies.Fault,
        Parent = _parent.Text,
        IsLeaving = _keys.Keys.IsLeaving,
        BundleEnd = _keys.Bundle.End,
    };

    internal static DateTimeOffset? Earlier(DateTimeOffset? one, DateTimeOffset? other) =>
        one is null ? other : other is null || one < other ? one : other;

    private sealed record SigningProgressNote(SigningProgress Progress);

    private sealed class Reporting(SignedZone zone) : IProgress<SigningProgress>
    {
        public void Report(SigningProgress value) => zone._progress = new SigningProgressNote(value);
    }
}

/// <summary>A zone cannot be signed, for the reason in the message.</summary>
internal sealed class SigningFailedException(string message) : Exception(message);
