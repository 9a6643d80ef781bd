namespace Dns.Dnssec.Service;

/// <summary>
/// One zone that is signed here: the newest version of its source, the served signed version, and the keys. One thread
/// works on it at a time: the source's after a small change, else one of <see cref="ZoneSigning"/>.
/// </summary>
/// <param name="policy">Its policy; null = it becomes unsigned as soon as possible.</param>
internal sealed partial class SignedZone(ZoneSlot slot, DnssecPolicy? policy, ZoneSigning owner)
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
    private volatile SigningState _status = new(policy?.Name ?? "", null, null);
    private volatile SigningProgressNote? _progress;
    private volatile DnssecPolicy? _wantedPolicy = policy;
    private volatile bool _isClockSet;
    private DnssecPolicy _policy = policy ?? DnssecPolicy.Default;
    private Zone? _from;
    private Zone? _signed;
    private RefreshRound _round = new();
    private DateTimeOffset? _refreshDue;
    private bool _isCopyLoaded, _isLoaded;
    private volatile bool _isHeld;
    private string? _copyProblem, _reportedProblem;
    private int _failures;

    internal ZoneSlot Slot => slot;

    /// <summary>When it is due; owned by the schedule.</summary>
    internal DateTimeOffset? Due { get; set; }

    /// <summary>Whether it waits for a thread; owned by <see cref="ZoneSigning"/>.</summary>
    internal bool IsQueued { get; set; }

    /// <summary>Whether it is no longer signed here.</summary>
    internal volatile bool IsGone;

    internal SigningState Status => _progress is { } note ? _status with { Progress = note.Progress } : _status;

    /// <summary>Sets another policy, or none, for the next turn.</summary>
    internal void Use(DnssecPolicy? next)
    {
        // Without the lock, since a publication must not wait for signing.
        if (_wantedPolicy == next) return;
        _wantedPolicy = next;
        owner.Queue(this);
    }

    /// <summary>Checks all signatures in the next turn: the clock was set, so some may be early or expired.</summary>
    internal void OnClockSet()
    {
        _isClockSet = true;
        owner.Queue(this);
    }

    /// <summary>Accepts a version of the source: signs a small change at once, unless another thread signs.</summary>
    internal void Take(in ZoneVersionChange source)
    {
        _wanted = source.Now;
        // The threads of the source and of the settings may pass versions in another order.
        while (slot.SourceZone is { } latest && !ReferenceEquals(_wanted, latest)) _wanted = latest;
        bool isDone = false;
        if (source.Delta is { } delta && delta.Removed.Count + delta.Added.Count <= owner.Options.SmallChange &&
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
                owner.Observer.OnCrash(slot.Name, error);
            }
            finally
            {
                _gate.Exit();
            }
        }
        if (!isDone) owner.Queue(this);
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
                if (!_isHeld)
                {
                    CheckParent();
                    NotifyParent();
                }
                due = Earlier(Earlier(due, _parentDue), Earlier(_warnDue, _notifyDue));
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
                owner.Observer.OnCrash(slot.Name, error);
                due = Fail($"it cannot be signed: unexpected exception: {error.Message}");
            }
            finally
            {
                _progress = null;
            }
            owner.Schedule.Set(this, Earlier(due, RetrySaving()));
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
            (_round, _refreshDue) = (new RefreshRound(), owner.Now);
            (_parentDue, _notifyDue, _warnDue) = (null, null, null);
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
        if (slot.Zone is null && _signed is { } signed) ServeSigned(signed, null, source);
        if (_plan is null) _refreshDue = null;
        if (_refreshDue <= owner.Now) Refresh();
        if (_offlineFault is { } missing) throw new SigningFailedException(missing);
        ThrowIfNextUnsafe();
        if (keyFault is not null)
            throw new SigningFailedException($"its keys stay as they are, since they cannot be kept: {keyFault}");
    }

    /// <summary>When another process that served the zone has ended: the keys as it left them.</summary>
    private void FollowHold()
    {
        bool isHeld = !owner.Handover.MayWrite;
        if (_isHeld && !isHeld && _isLoaded)
        {
            LoadKeys();
            ContinueSerials();
        }
        _isHeld = isHeld;
        if (isHeld) owner.Handover.Withhold(slot.Name);
        // Secondaries get no version whose serial the next start might use again.
        if (isHeld || owner.Handover.MaySend(slot.Name)
            || (_signed is { } served && FindSerialFault(served) is not null)) return;
        owner.Handover.Admit(slot.Name);
        owner.QueueSaving(this);
    }

    private void Recover()
    {
        owner.Observer.OnRecovered(slot.Name);
        _failures = 0;
        // Without new signatures, clear the slot's error separately.
        if (_signed is { } signed && slot.Failure is not null) slot.PublishSigned(signed, owner.Now, null, _from);
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
        if (owner.Kept.TryLoad(slot.Name, out Zone? kept, out IReadOnlyList<ZoneDelta> deltas, out _copyProblem,
            cancellation))
        {
            _signed = kept;
            // A damaged copy lacks those behind the damage.
            if (_copyProblem is not null || owner.MayLackVersions(slot.Name))
                _lostSerial = unchecked(kept.Serial + MostLostVersions);
            SavedSerial = kept.Serial;
            NoteServed(kept, null);
            if (deltas.Count > 0) _restored = deltas;
        }
        // Secondaries ignore a version whose serial goes back.
        else if (_copyProblem is not null && owner.Kept.FindSerial(slot.Name) is { } serial)
        {
            _lostSerial = unchecked(serial + MostLostVersions);
        }
        if (_copyProblem is not null && _copyProblem != _reportedProblem)
            owner.Observer.OnBroken(slot.Name, _copyProblem);
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
        if (slot.IsServedUnsigned) return false;
        int most = LeastNamesAtOnce + NamesOfRecord * (delta.Removed.Count + delta.Added.Count);
        SigningOptions options = OptionsNow with { MostNames = most };
        SigningResult result = ZoneSigner.Sign(signed, before, now, delta, plan, owner.Now, options);
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
        long began = owner.Time.GetTimestamp();
        options = options with { LostSerial = LowerBoundOfSerial() };
        SigningResult result = _signed is { } signed && _from is { } from
            ? ZoneSigner.Sign(signed, from, source, null, _plan, owner.Now, options, cancellation)
            : ZoneSigner.SignWhole(source, _plan, owner.Now, options with { Previous = _signed }, cancellation);
        if (!result.IsSigned) throw new SigningFailedException($"it cannot be signed: {result.Error}");
        bool isOther = !ReferenceEquals(result.Zone, _signed);
        Publish(source, result);
        _lostSerial = null;
        if (isOther)
            owner.Observer.OnSigned(slot.Name, result.Zone, source.Serial, result, owner.Time.GetElapsedTime(began));
    }

    private void Refresh()
    {
        SigningResult result =
            ZoneSigner.Refresh(_signed!, _plan!, owner.Now, owner.Options.RefreshBudget, _round, OptionsNow);
        if (!result.IsSigned) throw new SigningFailedException($"its signatures cannot be renewed: {result.Error}");
        Publish(_from!, result, isRefresh: true);
        if (!result.IsRoundComplete)
        {
            _refreshDue = owner.Now;
            return;
        }
        (_round, _refreshDue) = (new RefreshRound(), result.NextRefresh);
    }

    private SigningOptions OptionsNow => new()
    {
        Threads = slot.SourceZone is { NameCount: > MostNamesDigested } ? owner.Options.Threads : 1,
        Limits = owner.Options.Limits,
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
            Keep(signed, result.Delta);
        }
        _isRefused = false;
        signed = WithOnlineSigner(signed);
        (_from, _signed) = (source, signed);
        bool isWhole = isOther && result.Delta is null;
        if (result.NextRefresh is { } next) _refreshDue = isWhole ? next : Earlier(_refreshDue, next);
        if (isOther) NoteServed(signed, result.Delta);
        if (!isOther && ReferenceEquals(slot.Zone, signed)) return;
        ServeSigned(signed, isOther ? result.Delta : null, source);
    }

    private void ServeSigned(Zone signed, ZoneDelta? delta, Zone? source)
    {
        if (!slot.PublishSigned(signed, owner.Now, delta, source)) return;
        if (_restored is not { } deltas) return;
        _restored = null;
        owner.OnRestored(slot, deltas);
    }

    private IReadOnlyList<ZoneDelta>? _restored;

    private DateTimeOffset Fail(string reason)
    {
        _failures++;
        ServeWithoutSigning();
        if (slot.IsServedUnsigned) reason = reason.TrimEnd('.') + "; it is served unsigned until it is signed";
        if (_status.Error != reason) owner.Observer.OnFailed(slot.Name, reason);
        UpdateStatus(reason);
        slot.FailSigning(new UnsignedFailure(reason), owner.Now);
        return owner.Now + RetryAfter(_failures);
    }

    private static TimeSpan RetryAfter(int failures)
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
        if (slot.Zone is not null) return;
        if (_signed is { } kept)
        {
            if (IsComplete(kept)) ServeSigned(kept, null, null);
        }
        else if (_isLoaded && _copyProblem is null && !_keys.MayHaveBeenServed) slot.ServeUntilSigned(owner.Now);
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
        Error = error ?? _saveFault,
        Parent = _parentText,
        IsLeaving = _keys.IsLeaving,
        BundleEnd = _bundle is { Slots.Count: > 0 } ? _bundle.End : null,
    };

    private static DateTimeOffset? Earlier(DateTimeOffset? one, DateTimeOffset? other) =>
        one is null ? other : other is null || one < other ? one : other;

    private sealed record SigningProgressNote(SigningProgress Progress);

    private sealed class Reporting(SignedZone zone) : IProgress<SigningProgress>
    {
        public void Report(SigningProgress value) => zone._progress = new SigningProgressNote(value);
    }
}

/// <summary>A zone cannot be signed, for the reason in the message.</summary>
internal sealed class SigningFailedException(string message) : Exception(message);
