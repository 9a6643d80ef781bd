namespace Dns.Forwarding.InFlight;

/// <content>Timeouts, and ends without an answer.</content>
internal sealed partial class UpstreamQuery
{
    public override void Fire(int generation)
    {
        long now = _table.Clock.Now;
        bool isAnswerDue;
        TryLadder.Step step = default;
        lock (_gate)
        {
            if (!_isLive || Generation != generation) return;
            isAnswerDue = now >= _answerAt;
            if (isAnswerDue) _answerAt = long.MaxValue;
            if (now >= _deadline) step = new(TryLadder.StepKind.Fail, 0);
            else if (now >= _ladder.RetryAt) step = _ladder.RetryAfterTimeout(now, _nameHash);
            else Arm();
        }
        if (isAnswerDue && step.Kind != TryLadder.StepKind.Fail) GiveUp(generation);
        Run(step, generation);
    }

    /// <summary>Arms the timer for what is due next. Under the lock.</summary>
    internal void Arm() => _table.Wheel.Arm(this, Math.Min(_deadline, Math.Min(_ladder.RetryAt, _answerAt)));

    public void OnEvicted(in PendingTry pending)
    {
        lock (_gate)
        {
            // A reply that is being parsed decides what follows.
            if (IsCurrent(pending) && !_ladder[pending.Index].IsBeingRead) _ladder.Evict(pending.Index);
        }
    }

    /// <summary>When a waiter must be answered, less the wheel's maximum delay. Under the lock.</summary>
    private long AnswerTime(long since)
    {
        long within = (_ladder.Zone.IsDown ? _table.Options.AnswerWithinWhileDown : _table.Options.AnswerWithin).Ticks;
        return since + Math.Max(within - TimingWheel.MostLate, 0);
    }

    // Open for longer than a client waits. Under the lock.
    private bool IsSlow =>
        _table.Clock.Now >= AnswerTime(_deadline + TimingWheel.MostLate - _table.Options.Deadline.Ticks);

    /// <summary>Under the lock.</summary>
    private void Await(long answerAt)
    {
        _answerAt = answerAt;
        Arm();
    }

    // Answers all waiters from a stale entry; while the query is young only those whose time is over: a client that has
    // waited for the aliases before does not give others the old answer. Without an entry, SERVFAIL to waiters whose
    // time is over: to impatient ones, and to all if the upstreams are silent. The query continues, without waiters for
    // the cache, unless others need its place.
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void GiveUp(int generation)
    {
        Unsafe.SkipInit(out LookupName name);
        if (!TryReadQuestion(generation, ref name, out Question question)) return;
        byte[] records = _table.RentRecords();
        bool isStale = _table.Cache.TryCopyStale(in question, records, out RelayedAnswer answer);
        WaiterNode? waiters = null;
        TryReports tries = default;
        UpstreamTries dropped = default;
        int sends = 0;
        bool isDropped = false;
        lock (_gate)
        {
            if (_isLive && Generation == generation)
            {
                _staleWasGiven |= isStale;
                waiters = isStale && IsSlow ? TakeWaiters() : TakeLateWaiters(_table.Clock.Now, isStale);
                if (!isStale) answer = new() { Rcode = Rcode.ServFail, Error = _ladder.Error };
                (tries, sends) = (_ladder.Report(_table.Clock.Now), _ladder.Sends);
                isDropped = _firstWaiter is null && _table.IsCrowded;
                if (isDropped)
                {
                    _table.Cache.ForgetRefresh(in question);
                    Close(out dropped, out sends);
                }
            }
        }
        for (WaiterNode? waiter = waiters; waiter is not null && !isStale; waiter = waiter.Next)
            _table.Counters.CountTimedOut();
        if (isStale) _table.Counters.CountStale();
        _table.Notify(waiters, in answer, records.AsSpan(0, answer.Octets), tries[..sends]);
        _table.ReturnRecords(records);
        if (isDropped) Retire(ref dropped, sends);
    }

    /// <summary>
    /// Removes the waiters that get a stale answer or SERVFAIL now, and schedules the next. Under the lock.
    /// </summary>
    private WaiterNode? TakeLateWaiters(long now, bool isStale)
    {
        bool ofAll = isStale || _ladder.IsUnanswered;
        WaiterNode? late = null, waiters = TakeWaiters();
        long next = long.MaxValue;
        for (WaiterNode? waiter = waiters, following; waiter is not null; waiter = following)
        {
            following = waiter.Next;
            long answerAt = AnswerTime(waiter.Since);
            if (answerAt <= now && (ofAll || !waiter.IsProven))
            {
                (waiter.Next, late) = (late, waiter);
                continue;
            }
            Append(waiter);
            if (answerAt > now) next = Math.Min(next, answerAt);
        }
        Await(next);
        return late;
    }

    /// <summary>Ends without an answer: waiters get a stale answer, or SERVFAIL with the reason.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void Fail(int generation)
    {
        Unsafe.SkipInit(out LookupName name);
        if (!TryReadQuestion(generation, ref name, out Question question)) return;
        RelayedAnswer failure;
        WaiterNode? waiters;
        UpstreamTries tries;
        TryReports reports;
        int sends;
        lock (_gate)
        {
            if (!_isLive || Generation != generation) return;
            failure = new() { Rcode = Rcode.ServFail, Error = _ladder.Error, WantsProof = _ladder.WasEvicted };
            reports = _ladder.Report(_table.Clock.Now);
            ZoneUpstreams zone = _ladder.Zone;
            // Cached first: a client that no longer finds the upstream query finds the failure.
            if (_ladder.EndedByOwnLimit) _table.Cache.ForgetRefresh(in question);
            else if (!zone.IsReplaced) _table.Cache.StoreFailure(in question, _ladder.Error, isOutage: zone.IsDown);
            // The upstreams changed a moment ago, and the cache was flushed before this entry.
            if (zone.IsReplaced) _table.Cache.Forget(in question);
            waiters = Close(out tries, out sends);
        }
        _table.Counters.CountFailed();
        if (waiters is not null) NotifyFailure(in question, waiters, in failure, reports[..sends]);
        Retire(ref tries, sends);
    }

    private void NotifyFailure(
        scoped in Question question, WaiterNode waiters, in RelayedAnswer failure, ReadOnlySpan<TryReport> tries)
    {
        byte[] records = _table.RentRecords();
        if (_table.Cache.TryCopyStale(in question, records, out RelayedAnswer answer)) _table.Counters.CountStale();
        else answer = failure;
        _table.Notify(waiters, in answer, records.AsSpan(0, answer.Octets), tries);
        _table.ReturnRecords(records);
    }

    // The upstream of a try is this server: it is excluded, and this question no longer waits for it.
    private void StopLoop(int generation, int index)
    {
        Upstream upstream;
        TryLadder.Step step;
        lock (_gate)
        {
            if (!_isLive || Generation != generation) return;
            upstream = _ladder.Zone[_ladder[index].Number];
            step = _ladder.RetryElsewhere(index, TryOutcome.Loop);
        }
        upstream.Exclude(isForGood: false);
        _table.Counters.CountLoop();
        Run(step, generation);
    }

    private bool TryReadQuestion(int generation, ref LookupName name, out Question question)
    {
        lock (_gate)
        {
            bool isCurrent = _isLive && Generation == generation;
            if (isCurrent) name.Set(NameOctets);
            question = isCurrent ? new(ref name, Type, Class, _flags, _view) : default;
            return isCurrent;
        }
    }
}
