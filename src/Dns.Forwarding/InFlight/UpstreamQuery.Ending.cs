namespace Dns.Forwarding.InFlight;

/// <content>Timeouts, and ends without an answer.</content>
internal sealed partial class UpstreamQuery
{
    public override void Fire(int generation)
    {
        long now = table.Clock.Now;
        bool isAnswerDue;
        Step step = default;
        lock (_gate)
        {
            if (!_isLive || Generation != generation) return;
            isAnswerDue = now >= _answerAt;
            if (isAnswerDue) _answerAt = long.MaxValue;
            if (now >= _deadline) step = new(StepKind.Fail, generation, 0);
            else if (now >= _retryAt) step = RetryAfterTimeout(now);
            else Arm();
        }
        if (isAnswerDue && step.Kind != StepKind.Fail) GiveUp(generation);
        Run(step);
    }

    private void Arm() => table.Wheel.Arm(this, Math.Min(_deadline, Math.Min(_retryAt, _answerAt)));

    /// <summary>The newest try timed out; a late reply still counts. Under the lock.</summary>
    private Step RetryAfterTimeout(long now)
    {
        ref UpstreamTry t = ref _tries[_sends - 1];
        if (t.IsActive && !t.IsOverdue)
        {
            _zone[t.Number].CountTimeout(t.SentAt, _nameHash, now);
            (t.Outcome, t.EndedAt) = (TryOutcome.TimedOut, now);
        }
        t.IsOverdue = true;
        if (t.Outcome != TryOutcome.Evicted) _timeouts++;
        bool mayTakeNoStreams = t.IsActive && t.Path is StreamConnection { HadReplies: false };
        return mayTakeNoStreams && TryReturnToDatagrams(t.Number)
            ? SendTo(t.Number, overStream: false, t.HasEdns) : SendNext();
    }

    public void OnEvicted(in PendingTry pending)
    {
        lock (_gate)
        {
            // A reply that is being parsed decides what follows.
            if (!IsCurrent(pending) || _tries[pending.Index].IsBeingRead) return;
            ref UpstreamTry evicted = ref _tries[pending.Index];
            evicted.End(TryOutcome.Evicted, table.Clock.Now);
            foreach (ref UpstreamTry t in Tries)
                if (t.IsActive) return;
            _failed |= 1u << evicted.Number;
            _error = ExtendedErrorCode.NetworkError;
            // Retried by the wheel: an immediate retry could evict the next one from the streams of the next upstream.
            _retryAt = table.Clock.Now;
            Arm();
        }
    }

    /// <summary>When a waiter must be answered, less the wheel's maximum delay. Under the lock.</summary>
    private long AnswerTime(long since)
    {
        long within = (_zone.IsDown ? table.Options.AnswerWithinWhileDown : table.Options.AnswerWithin).Ticks;
        return since + Math.Max(within - TimingWheel.MostLate, 0);
    }

    // Open for longer than a client waits. Under the lock.
    private bool IsSlow =>
        table.Clock.Now >= AnswerTime(_deadline + TimingWheel.MostLate - table.Options.Deadline.Ticks);

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
        byte[] records = table.RentRecords();
        bool isStale = table.Cache.TryCopyStale(in question, records, out RelayedAnswer answer);
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
                waiters = isStale && IsSlow ? TakeWaiters() : TakeLateWaiters(table.Clock.Now, isStale);
                if (!isStale) answer = new() { Rcode = Rcode.ServFail, Error = _error };
                (tries, sends) = (TryReports.Of(Tries, _zone, table.Clock.Now), _sends);
                isDropped = _firstWaiter is null && table.IsCrowded;
                if (isDropped)
                {
                    table.Cache.ForgetRefresh(in question);
                    Close(out dropped, out sends);
                }
            }
        }
        for (WaiterNode? waiter = waiters; waiter is not null && !isStale; waiter = waiter.Next)
            table.Counters.CountTimedOut();
        if (isStale) table.Counters.CountStale();
        table.Notify(waiters, in answer, records.AsSpan(0, answer.Octets), tries[..sends]);
        table.ReturnRecords(records);
        if (isDropped) Retire(ref dropped, sends);
    }

    /// <summary>
    /// Removes the waiters that get a stale answer or SERVFAIL now, and schedules the next. Under the lock.
    /// </summary>
    private WaiterNode? TakeLateWaiters(long now, bool isStale)
    {
        bool ofAll = isStale || _sends > 0 && !_zone.HasRepliedSince(_tries[0].SentAt);
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
            failure = new() { Rcode = Rcode.ServFail, Error = _error, WantsProof = WasEvicted };
            reports = TryReports.Of(Tries, _zone, table.Clock.Now);
            // Cached first: a client that no longer finds the upstream query finds the failure.
            if (EndedByOwnLimit) table.Cache.ForgetRefresh(in question);
            else if (!_zone.IsReplaced) table.Cache.StoreFailure(in question, _error, isOutage: _zone.IsDown);
            // The upstreams changed a moment ago, and the cache was flushed before this entry.
            if (_zone.IsReplaced) table.Cache.Forget(in question);
            waiters = Close(out tries, out sends);
        }
        table.Counters.CountFailed();
        if (waiters is not null) NotifyFailure(in question, waiters, in failure, reports[..sends]);
        Retire(ref tries, sends);
    }

    /// <summary>
    /// Whether it ended for lack of tries, which aliases before had used, or of a place on a stream. That says nothing
    /// about the name: a cached failure (RFC 9520) would let one client's aliases block it for all. Under the lock.
    /// </summary>
    private bool EndedByOwnLimit => WasEvicted || _sends > 0 && _limit < MaxSends && _sends >= _limit
        && _zone.Choose(Tries, _failed, _first) != ZoneUpstreams.AllFailed;

    private bool WasEvicted => _sends > 0 && _tries[_sends - 1].Outcome == TryOutcome.Evicted;

    private void NotifyFailure(
        scoped in Question question, WaiterNode waiters, in RelayedAnswer failure, ReadOnlySpan<TryReport> tries)
    {
        byte[] records = table.RentRecords();
        if (table.Cache.TryCopyStale(in question, records, out RelayedAnswer answer)) table.Counters.CountStale();
        else answer = failure;
        table.Notify(waiters, in answer, records.AsSpan(0, answer.Octets), tries);
        table.ReturnRecords(records);
    }

    // The upstream of a try is this server: it is excluded, and this question no longer waits for it.
    private void StopLoop(int generation, int index)
    {
        Upstream upstream;
        Step step;
        lock (_gate)
        {
            if (!_isLive || Generation != generation) return;
            ref UpstreamTry t = ref _tries[index];
            upstream = _zone[t.Number];
            t.End(TryOutcome.Loop, table.Clock.Now);
            _failed |= 1u << t.Number;
            step = SendNext();
        }
        upstream.Exclude(isForGood: false);
        table.Counters.CountLoop();
        Run(step);
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
