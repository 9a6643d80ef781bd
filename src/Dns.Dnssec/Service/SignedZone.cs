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
    private DnssecPolicy _policy;
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
        (_slot, _owner, _wantedPolicy, _policy) = (slot, owner, policy, policy ?? DnssecPolicy.Default);
        _status = new SigningState(policy?.Name ?? "", null, null);
        (_copies, _parent) = (new CopyKeeper(this, owner), new ParentWatch(this, owner));
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
                CloseKeys();
                return;
            }
            DateTimeOffset? due;
            try
            {
                Work(cancellation);
                if (IsGone) return;
                if (_failures > 0) Recover();
                due = Earlier(_refreshDue, _step?.Next);
                if (!_isHeld) _parent.Run(_policy, _step?.Plan);
                due = Earlier(Earlier(due, _parent.Due), _warnDue);
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

    private void Work(CancellationToken cancellation)
    {
        if (_wanted is not { } source) return;
        FollowHold();
        Load(source, cancellation);
        if (_isHeld && !KeyRollover.PlanOf(_keys).IsSigned)
        {
            ServeWithoutSigning();
            return;
        }
        if (_isClockSet)
        {
            _isClockSet = false;
            (_round, _refreshDue) = (new RefreshRound(), _owner.Now);
            _parent.Reset();
            _warnDue = null;
        }
        string? keyFault = null;
        bool isCurrent = false;
        for (int turn = 0; turn < MostTurns && !isCurrent; turn++)
        {
            bool isOtherPlan = TryStepKeys(source, ref keyFault);
            if (isOtherPlan || _isRefused || !ReferenceEquals(_from, source)) Sign(source, cancellation);
            else isCurrent = true;
            // The source may have changed meanwhile.
            isCurrent &= ReferenceEquals(source, _wanted);
            source = _wanted!;
            if (IsGone) return;
        }
        // A source that had expired may confirm the same version.
        if (_slot.Zone is null && _signed is { } signed) ServeSigned(signed, null, source);
        if (_plan is null) _refreshDue = null;
        if (_refreshDue <= _owner.Now) Refresh();
        if (_offlineFault is { } missing) throw new SigningFailedException(missing);
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
            LoadKeys();
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
        LoadKeys();
        ThrowIfKeysLost(source);
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
            NoteServed(kept, null);
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

    // A cut above many names affects them with one record: another thread signs those.
    private bool TrySignChange(Zone? before, Zone now, ZoneDelta delta)
    {
        if (_keyPlan is { IsSigned: false } && _isLoaded && _wantedPolicy is null) return TryServeUnsigned(now);
        if (_signed is not { } signed || _plan is not { } plan || before is null || !ReferenceEquals(_from, before))
            return false;
        if (plan.Zonemd && now.NameCount > MostNamesDigested) return false;
        // Rare, and its serial depends on more.
        if (_slot.IsServedUnsigned) return false;
        int most = LeastNamesAtOnce + NamesOfRecord * (delta.Removed.Count + delta.Added.Count);
        SigningOptions options = OptionsNow with { MostNames = most };
        SigningResult result = ZoneSigner.Sign(signed, before, now, delta, plan, _owner.Now, options);
        if (!result.IsSigned) return false;
        Publish(now, result);
        UpdateStatus(null);
        return true;
    }

    private void Sign(Zone source, CancellationToken cancellation)
    {
        if (_plan is null)
        {
            ServeUnsigned(source);
            return;
        }
        SigningOptions options = OptionsNow with { Progress = new Reporting(this) };
        long began = _owner.Time.GetTimestamp();
        options = options with { LostSerial = LowerBoundOfSerial() };
        SigningResult result = _signed is { } signed && _from is { } from
            ? ZoneSigner.Sign(signed, from, source, null, _plan, _owner.Now, options, cancellation)
            : ZoneSigner.SignWhole(source, _plan, _owner.Now, options with { Previous = _signed }, cancellation);
        if (!result.IsSigned) throw new SigningFailedException($"it cannot be signed: {result.Error}");
        bool isOther = !ReferenceEquals(result.Zone, _signed);
        Publish(source, result);
        _lostSerial = null;
        if (isOther)
            _owner.Observer.OnSigned(_slot.Name, result.Zone, source.Serial, result, _owner.Time.GetElapsedTime(began));
    }

    private void Refresh()
    {
        SigningResult result =
            ZoneSigner.Refresh(_signed!, _plan!, _owner.Now, _owner.Options.RefreshBudget, _round, OptionsNow);
        if (!result.IsSigned) throw new SigningFailedException($"its signatures cannot be renewed: {result.Error}");
        Publish(_from!, result, isRefresh: true);
        if (!result.IsRoundComplete)
        {
            _refreshDue = _owner.Now;
            return;
        }
        (_round, _refreshDue) = (new RefreshRound(), result.NextRefresh);
    }

    private SigningOptions OptionsNow => new()
    {
        Threads = _slot.SourceZone is { NameCount: > MostNamesDigested } ? _owner.Options.Threads : 1,
        Limits = _owner.Options.Limits,
    };

    /// <summary>Serves the signed version of a source version, and queues it for saving.</summary>
    private void Publish(Zone source, SigningResult result, bool isRefresh = false)
    {
        if (IsGone) return;
        Zone signed = result.Zone!;
        bool isOther = !ReferenceEquals(signed, _signed);
        if (isOther)
        {
            _isRefused = !isRefresh;
            ThrowIfSerialUnsafe(signed);
            _copies.Keep(signed, result.Delta);
        }
        _isRefused = false;
        signed = WithOnlineSigner(signed);
        (_from, _signed) = (source, signed);
        bool isWhole = isOther && result.Delta is null;
        if (result.NextRefresh is { } next) _refreshDue = isWhole ? next : Earlier(_refreshDue, next);
        if (isOther) NoteServed(signed, result.Delta);
        if (!isOther && ReferenceEquals(_slot.Zone, signed)) return;
        ServeSigned(signed, isOther ? result.Delta : null, source);
    }

    private void ServeSigned(Zone signed, ZoneDelta? delta, Zone? source)
    {
        if (!_slot.PublishSigned(signed, _owner.Now, delta, source)) return;
        if (_restored is not { } deltas) return;
        _restored = null;
        _owner.OnRestored(_slot, deltas);
    }

    private IReadOnlyList<ZoneDelta>? _restored;

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
        else if (_isLoaded && _copyProblem is null && !_keys.MayHaveBeenServed) _slot.ServeUntilSigned(_owner.Now);
    }

    /// <summary>Whether a version has all signatures: a key makes those of compact denial.</summary>
    private static bool IsComplete(Zone version) => !version.IsSigned
        || version.ApexNode.TryFind(RRType.NSEC, out _) || version.ApexNode.TryFind(RRType.NSEC3PARAM, out _);

    private void UpdateStatus(string? error) => _status = new SigningState(_policy.Name, _wanted?.Serial, _from?.Serial)
    {
        Denial = _policy.Denial,
        Keys = _keys,
        Waits = _step?.Waits ?? [],
        NextRefresh = _refreshDue,
        Error = error ?? _copies.Fault,
        Parent = _parent.Text,
        IsLeaving = _keys.IsLeaving,
        BundleEnd = _bundle is { Slots.Count: > 0 } ? _bundle.End : null,
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
