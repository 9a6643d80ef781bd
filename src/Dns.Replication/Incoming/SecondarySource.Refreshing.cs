namespace Dns.Replication.Incoming;

/// <content>Refresh rounds: primaries are queried in turn until one succeeds.</content>
public sealed partial class SecondarySource
{
    /// <summary>The least time between two reports of failures of a zone.</summary>
    private static readonly TimeSpan LeastQuiet = TimeSpan.FromSeconds(10);

    private readonly PrimaryQueue _checks = new(), _transfers = new();
    private TaskCompletionSource? _idle;
    private int _running;
    private int _transferring;
    private int _startRequests;

    /// <summary>The pause of NOTIFY after a round that it started: many in a second are two rounds.</summary>
    private static readonly TimeSpan NotifyPause = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Starts a round as soon as possible; a running one, or the loading, is followed by another. Under the gate.
    /// </summary>
    /// <param name="isNotify">By NOTIFY, which waits for <see cref="NotifyPause"/>; the last one counts.</param>
    private void ScheduleCheck(SecondaryZone zone, int first, bool isNotify = false)
    {
        if (zone.IsGone || _stopping.IsCancellationRequested) return;
        if (zone.IsLoading)
        {
            (zone.NeedsAnotherCheck, zone.NextPrimary) = (true, first);
            return;
        }
        if (zone.Activity == SecondaryActivity.WaitsForCheck && zone.PrimariesLeft == zone.Primaries.Count)
        {
            if (zone.FirstPrimary % zone.Primaries.Count == first) return;
            if (!zone.HasMoved)
            {
                (zone.FirstPrimary, zone.HasMoved) = (first, true);
                QueueCheck(zone);
                // That primary may have a slot.
                _schedule.Set(zone, _clock.Now);
                return;
            }
            // Moved each time, it would always be the last of a primary.
        }
        if (zone.Activity != SecondaryActivity.Idle)
        {
            (zone.NeedsAnotherCheck, zone.NextPrimary) = (true, first);
            zone.IsUrgent |= !isNotify;
            return;
        }
        zone.FirstPrimary = first;
        zone.IsNotified |= isNotify;
        zone.RefreshDue = Math.Min(zone.RefreshDue, isNotify ? Math.Max(_clock.Now, zone.NotifyDue) : _clock.Now);
        // Through the timer, since the caller may be a receive loop.
        Plan(zone);
    }

    /// <summary>Handles due zones: expiry or refresh.</summary>
    private void OnTime()
    {
        while (_schedule.Take() is { } zone)
        {
            bool isTooOld;
            lock (_gate)
            {
                if (zone.IsGone || _stopping.IsCancellationRequested) continue;
                isTooOld = IsTooOld(zone) && zone.State != ZoneState.Expired;
                if (zone.Activity == SecondaryActivity.Idle && zone.RefreshDue <= _clock.Now) BeginRound(zone);
                Plan(zone);
            }
            if (isTooOld) ExpireNow(zone);
        }
        StartDue();
    }

    /// <summary>Schedules the next event of a zone. Under the gate.</summary>
    private void Plan(SecondaryZone zone)
    {
        long refresh = zone.Activity == SecondaryActivity.Idle ? zone.RefreshDue : long.MaxValue;
        long expires =
            zone.Held is null || zone.State == ZoneState.Expired || IsTooOld(zone) ? long.MaxValue : zone.ExpiresDue;
        _schedule.Set(zone, zone.IsGone ? long.MaxValue : Math.Min(refresh, expires));
    }

    private bool IsTooOld(SecondaryZone zone) => zone.Held is not null && zone.ExpiresDue <= _clock.Now;

    private void BeginRound(SecondaryZone zone)
    {
        zone.NeedsAnotherCheck = zone.IsUrgent = zone.HasMoved = false;
        zone.NextPrimary = 0;
        zone.PrimariesLeft = zone.Primaries.Count;
        QueueCheck(zone);
    }

    private void QueueCheck(SecondaryZone zone)
    {
        zone.Activity = SecondaryActivity.WaitsForCheck;
        _checks.Enqueue(zone.Primaries[zone.FirstPrimary % zone.Primaries.Count].EndPoint, zone);
    }

    /// <summary>Queues the query of the next primary of a round; false if there is none. Under the gate.</summary>
    private bool TryContinue(SecondaryZone zone)
    {
        if (zone.PrimariesLeft == 0 || zone.IsGone || _stopping.IsCancellationRequested) return false;
        QueueCheck(zone);
        return true;
    }

    /// <summary>Starts queued work up to the limits. Not reentrant.</summary>
    private void StartDue()
    {
        if (Interlocked.Increment(ref _startRequests) > 1) return;
        int seen;
        do
        {
            seen = Volatile.Read(ref _startRequests);
            while (TryTakeWork(out Func<Task>? work))
            {
                Func<Task> next = work;
                _run(() => _ = next());
            }
        }
        while (Interlocked.Add(ref _startRequests, -seen) > 0);
    }

    private bool TryTakeWork([NotNullWhen(true)] out Func<Task>? work)
    {
        lock (_gate)
        {
            work = null;
            if (_stopping.IsCancellationRequested) return false;
            int transfers = Math.Max(1, _options.Transfer.MaxIncoming), checks = Math.Max(1, _options.MaxChecks);
            if (Take(_transfers, transfers - _transferring, out IPEndPoint? slot) is { } transferred)
            {
                _transferring++;
                transferred.Activity = SecondaryActivity.Transfers;
                transferred.Work = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token);
                work = () => TransferAsync(transferred, slot!);
            }
            else if (Take(_checks, checks - _running, out slot) is { } queried)
            {
                _running++;
                queried.Activity = SecondaryActivity.Checks;
                work = () => CheckAsync(queried, slot!);
            }
            return work is not null;
        }
    }

    private static SecondaryZone? Take(PrimaryQueue waiting, int free, out IPEndPoint? slot)
    {
        slot = null;
        while (free > 0 && waiting.Dequeue(free, out slot) is { } zone)
        {
            if (!zone.IsGone) return zone;
            waiting.Leave(slot!);
        }
        return null;
    }

    /// <summary>Queries the serial of one primary; unless that decides, the next one is queued.</summary>
    /// <param name="slot">The primary in whose share of slots this runs.</param>
    private async Task CheckAsync(SecondaryZone zone, IPEndPoint slot)
    {
        TransferFailure? failure;
        try
        {
            failure = await QueryNextAsync(zone).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            _observer.OnFault(zone.Name, error);
            failure = new(TransferFailureKind.Cancelled, error.Message);
        }
        bool continues;
        lock (_gate)
        {
            _running--;
            _checks.Leave(slot);
            continues = failure is not null && TryContinue(zone);
        }
        End(zone, failure, continues);
    }

    private async Task<TransferFailure?> QueryNextAsync(SecondaryZone zone)
    {
        int number = zone.FirstPrimary % zone.Primaries.Count;
        PeerAddress primary = zone.Primaries[number];
        zone.FirstPrimary = number + 1;
        zone.PrimariesLeft--;
        DateTimeOffset queriedAt = _clock.Provider.GetUtcNow();
        PrimaryAnswer answer =
            await _client.QueryAsync(primary, zone.Name, _options.Keys, _stopping.Token).ConfigureAwait(false);
        return Evaluate(zone, number, answer, queriedAt);
    }

    private void End(SecondaryZone zone, TransferFailure? failure, bool continues)
    {
        if (failure is not null)
        {
            Counters.Count(failure.Kind);
            if (!continues) Fail(zone, failure);
        }
        lock (_gate)
            if (_running + _transferring == 0) _idle?.TrySetResult();
        StartDue();
    }

    /// <summary>Decides by a primary's serial: null if the round is done, or why this primary is useless.</summary>
    private TransferFailure? Evaluate(
        SecondaryZone zone, int number, in PrimaryAnswer answer, DateTimeOffset queriedAt)
    {
        if (answer.Failure is not null) return answer.Failure;
        uint serial = answer.Soa.Serial;
        bool isWanted;
        lock (_gate)
        {
            isWanted = zone.Held is null || zone.IsRetransfer || SerialNumber.IsGreater(serial, zone.Held.Serial);
            if (isWanted)
            {
                (zone.TransferFrom, zone.HasEdns, zone.OfferedExpire) =
                    (number, answer.HasEdns, answer.Soa.ExpireSeconds);
                zone.Activity = SecondaryActivity.WaitsForTransfer;
                if (!_stopping.IsCancellationRequested && !zone.IsGone)
                    _transfers.Enqueue(zone.Primaries[number].EndPoint, zone);
                return null;
            }
        }
        if (serial != zone.Held!.Serial)
        {
            string found = $"{zone.Primaries[number].EndPoint} has serial {serial}, which is behind {zone.Held.Serial}";
            return new TransferFailure(TransferFailureKind.SerialBehind, found);
        }
        Counters.CountUpToDate();
        Confirm(zone, answer.Soa.ExpireSeconds, queriedAt);
        return null;
    }

    /// <summary>A primary has confirmed the current version.</summary>
    private void Confirm(SecondaryZone zone, uint? offeredExpire, DateTimeOffset queriedAt)
    {
        bool savesTimes;
        lock (zone.Publishing)
        {
            Zone held;
            lock (_gate)
            {
                if (zone.IsGone || zone.Held is null) return;
                held = zone.Held;
                SoaTimers times = SoaTimers.Of(held, zone.Options.MinRefresh);
                // RFC 7314 §4: our remaining time may exceed the primary's.
                long expires = _clock.Now + times.ExpireAt(offeredExpire).Ticks;
                zone.ExpiresDue = offeredExpire is null || zone.ExpiresDue == long.MaxValue
                    ? expires : Math.Max(expires, zone.ExpiresDue);
                TimeSpan next = SoaTimers.Jitter(times.Refresh, _random);
                if (FindNotifiedRetry(zone) is { } soon && soon < next) next = soon;
                zone.RefreshDue = _clock.Now + next.Ticks;
                zone.ConfirmedAt = queriedAt;
                savesTimes = _clock.Now - zone.TimesSavedAt >= TimesKeptFor.Ticks;
            }
            // A version whose offered time is over is not served at all.
            if (!IsTooOld(zone)) Publish(zone, held, queriedAt);
        }
        if (savesTimes) SaveTimes(zone);
        Succeed(zone, held: zone.Held!);
    }

    private void Succeed(SecondaryZone zone, Zone held)
    {
        bool wasReported;
        lock (_gate)
        {
            wasReported = zone.ReportedFailure is not null;
            (zone.Failures, zone.LastFailure, zone.ReportedFailure) = (0, null, null);
            EndRound(zone, null);
        }
        if (wasReported) _observer.OnRecovered(zone.Name, held.Serial);
    }

    /// <summary>All primaries of the round have failed.</summary>
    private void Fail(SecondaryZone zone, TransferFailure failure)
    {
        bool isNews;
        Zone? served;
        lock (zone.Publishing)
        {
            lock (_gate)
            {
                if (zone.IsGone || _stopping.IsCancellationRequested)
                {
                    EndRound(zone, failure);
                    return;
                }
                zone.Failures++;
                zone.LastFailure = failure;
                TimeSpan wait = zone.Held is null
                    ? SoaTimers.RetryWithout(zone.Failures) : SoaTimers.Of(zone.Held, zone.Options.MinRefresh).Retry;
                zone.RefreshDue = _clock.Now + SoaTimers.Jitter(wait, _random).Ticks;
                // Another reason soon after is not: NOTIFY of unsigned senders would decide which primary is named.
                TimeSpan quiet = TimeSpan.FromTicks(_clock.Now - zone.ReportedAt);
                isNews = zone.ReportedFailure is null || quiet >= TimeSpan.FromHours(1)
                    || zone.ReportedFailure != failure.Message && quiet >= LeastQuiet;
                if (isNews) (zone.ReportedFailure, zone.ReportedAt) = (failure.Message, _clock.Now);
                served = zone.Zone;
            }
            zone.Fail(failure, _clock.Provider.GetUtcNow());
            lock (_gate) EndRound(zone, failure);
        }
        PeerAddress last = zone.Primaries[(zone.FirstPrimary + zone.Primaries.Count - 1) % zone.Primaries.Count];
        if (isNews) _observer.OnFailed(zone.Name, last, failure, served?.Serial);
    }

    /// <summary>Ends a round, and starts another if one was requested. Under the gate.</summary>
    private void EndRound(SecondaryZone zone, TransferFailure? failure)
    {
        zone.Activity = SecondaryActivity.Idle;
        zone.Running = null;
        if (zone.IsNotified) zone.NotifyDue = _clock.Now + NotifyPause.Ticks;
        zone.IsNotified = false;
        bool isAgain = zone.NeedsAnotherCheck && !zone.IsGone;
        List<TaskCompletionSource<TransferFailure?>>? waiters = isAgain ? null : zone.Waiters;
        if (!isAgain) (zone.Waiters, zone.IsRetransfer) = (null, false);
        if (isAgain) ScheduleCheck(zone, zone.NextPrimary, isNotify: !zone.IsUrgent);
        else Plan(zone);
        foreach (TaskCompletionSource<TransferFailure?> waiter in waiters ?? []) waiter.TrySetResult(failure);
    }
}
