namespace Dns.Dnssec.Service;

/// <summary>
/// One zone that is signed here: the newest version of its source, the served signed version, and the keys. One thread
/// works on it at a time: the source's after a small change, else one of <see cref="ZoneSigning"/>.
/// </summary>
internal sealed partial class SignedZone
{
    // A step of the keys may enable others at once. More than this number is a bug, and waits.
    private const int MostTurns = 16;

    private static readonly TimeSpan FirstRetry = TimeSpan.FromSeconds(5), LongestRetry = TimeSpan.FromHours(1);

    private readonly Lock _gate = new();
    private readonly ZoneSlot _slot;
    private readonly ZoneSigning _owner;
    private readonly CopyKeeper _copies;
    private readonly ParentWatch _parent;
    private readonly KeyDriver _keys;
    private readonly VersionSigner _versions;
    private volatile Zone? _wanted;
    private volatile SigningState _status;
    private volatile SigningProgressNote? _progress;
    private volatile DnssecPolicy? _wantedPolicy;
    private volatile bool _isClockSet;
    private volatile bool _isHeld;
    private Loaded _loaded;
    private ZoneFailure? _copyProblem, _reportedProblem;
    private int _failures;

    /// <param name="policy">Its policy; null = it becomes unsigned as soon as possible.</param>
    internal SignedZone(ZoneSlot slot, DnssecPolicy? policy, ZoneSigning owner)
    {
        (_slot, _owner, _wantedPolicy) = (slot, owner, policy);
        _status = new SigningState(policy?.Name ?? "", null, null);
        (_copies, _parent) = (new CopyKeeper(this, owner), new ParentWatch(this, owner));
        _keys = new KeyDriver(slot, owner, _parent, policy ?? DnssecPolicy.Default, () => UpdateStatus(_status.Error));
        _versions = new VersionSigner(this, owner, _keys, _copies);
    }

    internal ZoneSlot Slot => _slot;

    /// <summary>When it is due; owned by the schedule.</summary>
    internal DateTimeOffset? Due { get; set; }

    /// <summary>Whether it waits for a thread; owned by <see cref="ZoneSigning"/>.</summary>
    internal bool IsQueued { get; set; }

    /// <summary>Whether it is no longer signed here.</summary>
    internal volatile bool IsGone;

    /// <summary>Whether another process still serves it, so that nothing is written here.</summary>
    internal bool IsHeld => _isHeld;

    /// <summary>Whether its versions may be written.</summary>
    internal bool MayWrite => !IsGone && !_isHeld;

    /// <summary>Whether all served versions are on disk, also those before the start.</summary>
    // Until a version above the lost ones is saved, the next start has to continue above them, too.
    internal bool IsSaved => !_isHeld && _versions.Serials.Lost is null
        && (_loaded >= Loaded.Copy || !_owner.MayLackVersions(_slot.Name)) && _copies.IsSaved;

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
                isDone = TrySignChange(source, delta);
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

    private bool TrySignChange(in ZoneVersionChange source, ZoneDelta delta)
    {
        if (_keys.KeyPlan is { IsSigned: false } && _loaded == Loaded.All && _wantedPolicy is null)
        {
            _versions.ServeUnsigned(source.Now);
            return true;
        }
        if (!_versions.TrySignChange(source.Before, source.Now, delta)) return false;
        UpdateStatus(null);
        return true;
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
                due = Earlier(_versions.RefreshDue, _keys.Step?.Next);
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
            _versions.RefreshAll();
            _parent.Reset();
            _keys.Bundle.Reset();
        }
        string? keyFault = null;
        bool isCurrent = false;
        for (int turn = 0; turn < MostTurns && !isCurrent; turn++)
        {
            bool isOtherPlan = _keys.TryStep(
                source, _wantedPolicy, _isHeld, (_versions.Signed, _versions.From), ref keyFault);
            if (isOtherPlan || _versions.IsRefused || !ReferenceEquals(_versions.From, source))
                _versions.Sign(source, new Reporting(this), cancellation);
            else isCurrent = true;
            // The source may have changed meanwhile.
            isCurrent &= ReferenceEquals(source, _wanted);
            source = _wanted!;
            if (IsGone) return;
        }
        // A source that had expired may confirm the same version.
        _versions.ServeAgain(source);
        _versions.Refresh();
        if (_keys.Bundle.Fault is { } missing) throw new SigningFailedException(missing);
        _versions.Serials.ThrowIfNextUnsafe(_versions.Signed);
        if (keyFault is not null)
            throw new SigningFailedException($"its keys stay as they are, since they cannot be kept: {keyFault}");
    }

    /// <summary>When another process that served the zone has ended: the keys as it left them.</summary>
    private void FollowHold()
    {
        bool isHeld = !_owner.Handover.MayWrite;
        if (_isHeld && !isHeld && _loaded == Loaded.All)
        {
            _keys.Load(leaves: _wantedPolicy is null);
            _versions.Serials.Continue(_versions.Signed);
        }
        _isHeld = isHeld;
        if (isHeld) _owner.Handover.Withhold(_slot.Name);
        // Secondaries get no version whose serial the next start might use again.
        if (isHeld || _owner.Handover.MaySend(_slot.Name)
            || (_versions.Signed is { } served && _versions.Serials.FindFault(served) is not null)) return;
        _owner.Handover.Admit(_slot.Name);
        _owner.QueueSaving(this);
    }

    private void Recover()
    {
        _owner.Observer.OnRecovered(_slot.Name);
        _failures = 0;
        // Without new signatures, clear the slot's error separately.
        if (_versions.Signed is { } signed && _slot.Failure is not null)
            _slot.PublishSigned(signed, _owner.Now, null, _versions.From);
    }

    /// <summary>Loads the saved version, which can be served without the keys, and then the keys.</summary>
    private void Load(Zone source, CancellationToken cancellation)
    {
        if (_loaded == Loaded.All) return;
        LoadCopy(cancellation);
        _keys.Load(leaves: _wantedPolicy is null);
        new LostKeys(_slot, _owner, _keys.Keys, _keys.Bundle.Sets)
            .ThrowIfAny(source, _versions.Signed, _copyProblem);
        _loaded = Loaded.Copy;
        _versions.Serials.Continue(_versions.Signed);
        _loaded = Loaded.All;
    }

    private void LoadCopy(CancellationToken cancellation)
    {
        if (_loaded >= Loaded.Copy) return;
        (Zone? kept, IReadOnlyList<ZoneDelta> deltas, _copyProblem) = _owner.Kept.Load(_slot.Name, cancellation);
        if (kept is not null)
        {
            // A damaged copy lacks those behind the damage.
            if (_copyProblem is not null || _owner.MayLackVersions(_slot.Name)) _versions.Serials.Lose(kept.Serial);
            _versions.Restore(kept, deltas);
        }
        // Secondaries ignore a version whose serial goes back.
        else if (_copyProblem is not null && _owner.Kept.FindSerial(_slot.Name) is { } serial)
        {
            _versions.Serials.Lose(serial);
        }
        if (_copyProblem is not null && _copyProblem != _reportedProblem)
            _owner.Observer.OnBroken(_slot.Name, _copyProblem.Text);
        _reportedProblem = _copyProblem;
        // Otherwise it may be readable at the next try, unless the zone is signed without it.
        if (_copyProblem is null || _versions.Signed is not null) _loaded = Loaded.Copy;
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
        if (_versions.Signed is { } kept)
        {
            if (VersionSigner.IsComplete(kept)) _versions.ServeAgain(null);
        }
        else if (_loaded == Loaded.All && _copyProblem is null && !_keys.Keys.MayHaveBeenServed)
            _slot.ServeUntilSigned(_owner.Now);
    }

    private void UpdateStatus(string? error) => _status = new SigningState(
        _keys.Policy.Name, _wanted?.Serial, _versions.From?.Serial)
    {
        Denial = _keys.Policy.Denial,
        Keys = _keys.Keys,
        Waits = _keys.Step?.Waits ?? [],
        NextRefresh = _versions.RefreshDue,
        Error = error ?? _copies.Fault,
        Parent = _parent.Last,
        IsLeaving = _keys.Keys.IsLeaving,
        BundleEnd = _keys.Bundle.End,
    };

    internal static DateTimeOffset? Earlier(DateTimeOffset? one, DateTimeOffset? other) =>
        one is null ? other : other is null || one < other ? one : other;

    /// <summary>What is loaded from disk.</summary>
    private enum Loaded : byte
    {
        /// <summary>Nothing, or a copy that could not be read.</summary>
        Nothing,

        /// <summary>The signed copy.</summary>
        Copy,

        /// <summary>The copy and the keys.</summary>
        All,
    }

    private sealed record SigningProgressNote(SigningProgress Progress);

    private sealed class Reporting(SignedZone zone) : IProgress<SigningProgress>
    {
        public void Report(SigningProgress value) => zone._progress = new SigningProgressNote(value);
    }
}

/// <summary>A zone cannot be signed, for the reason in the message.</summary>
internal sealed class SigningFailedException(string message) : Exception(message);
