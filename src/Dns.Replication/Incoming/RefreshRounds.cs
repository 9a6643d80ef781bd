namespace Dns.Replication.Incoming;

/// <summary>
/// Schedules the refresh rounds of zones: in a round the primaries are tried in turn until one succeeds. Limits
/// concurrent queries and transfers; other zones wait. Thread-safe; a zone's state is under the gate of the context.
/// </summary>
internal sealed class RefreshRounds : IDisposable
{
    /// <summary>The pause of NOTIFY after a round that it started: many in a second are two rounds.</summary>
    private static readonly TimeSpan NotifyPause = TimeSpan.FromSeconds(1);

    private readonly PrimaryQueue _checks = new(), _transfers = new();
    private readonly SecondaryContext _context;
    private readonly Func<SecondaryZone, bool, Task<TransferFailure?>> _try;
    private readonly Action<SecondaryZone, TransferFailure> _fail;
    private readonly Action<SecondaryZone> _expire;
    private readonly Action<Action> _run;
    private readonly RefreshSchedule _schedule;
    private TaskCompletionSource? _idle;
    private int _startRequests;

    /// <param name="attempt">Queries the next primary of a round, or transfers from the one that was chosen.</param>
    /// <param name="fail">Called when all primaries of a round have failed.</param>
    /// <param name="expire">Called when a zone is too old.</param>
    /// <param name="run">Runs work.</param>
    public RefreshRounds(
        SecondaryContext context, Func<SecondaryZone, bool, Task<TransferFailure?>> attempt,
        Action<SecondaryZone, TransferFailure> fail, Action<SecondaryZone> expire, Action<Action> run)
    {
        (_context, _try, _fail, _expire, _run) = (context, attempt, fail, expire, run);
        _schedule = new RefreshSchedule(context.Clock, OnTime);
    }

    internal int ScheduledEntries => _schedule.Entries;

    /// <summary>Whether queries or transfers are running or queued.</summary>
    public bool IsBusy
    {
        get
        {
            lock (_context.Gate) return HasRunning || _checks.Count + _transfers.Count > 0;
        }
    }

    private bool HasRunning => _checks.Running + _transfers.Running > 0;

    private bool IsStopping => _context.Stopping.IsCancellationRequested;

    /// <summary>
    /// Starts a round as soon as possible; a running one, or the loading, is followed by another. Under the gate.
    /// </summary>
    /// <param name="isNotify">By NOTIFY, which waits for <see cref="NotifyPause"/>; the last one counts.</param>
    public void Schedule(SecondaryZone zone, int first, bool isNotify = false)
    {
        if (zone.IsGone || IsStopping) return;
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
                _schedule.Set(zone, _context.Clock.Now);
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
        long now = _context.Clock.Now;
        zone.RefreshDue = Math.Min(zone.RefreshDue, isNotify ? Math.Max(now, zone.NotifyDue) : now);
        // Through the timer, since the caller may be a receive loop.
        Plan(zone);
    }

    /// <summary>Schedules the next event of a zone. Under the gate.</summary>
    public void Plan(SecondaryZone zone)
    {
        long refresh = zone.Activity == SecondaryActivity.Idle ? zone.RefreshDue : long.MaxValue;
        bool expires = zone.Held is not null && zone.State != ZoneState.Expired && !_context.IsTooOld(zone);
        _schedule.Set(
            zone, zone.IsGone ? long.MaxValue : Math.Min(refresh, expires ? zone.ExpiresDue : long.MaxValue));
    }

    /// <summary>Queues the transfer from a primary with a newer version. Under the gate.</summary>
    public void QueueTransfer(SecondaryZone zone)
    {
        zone.Activity = SecondaryActivity.WaitsForTransfer;
        if (!IsStopping && !zone.IsGone) _transfers.Enqueue(zone.Primaries[zone.TransferFrom].EndPoint, zone);
    }

    /// <summary>Ends a round, and starts another if one was requested. Under the gate.</summary>
    public void End(SecondaryZone zone, TransferFailure? failure)
    {
        zone.Activity = SecondaryActivity.Idle;
        zone.Running = null;
        if (zone.IsNotified) zone.NotifyDue = _context.Clock.Now + NotifyPause.Ticks;
        zone.IsNotified = false;
        bool isAgain = zone.NeedsAnotherCheck && !zone.IsGone;
        List<TaskCompletionSource<TransferFailure?>>? waiters = isAgain ? null : zone.Waiters;
        if (!isAgain) (zone.Waiters, zone.IsRetransfer) = (null, false);
        if (isAgain) Schedule(zone, zone.NextPrimary, isNotify: !zone.IsUrgent);
        else Plan(zone);
        foreach (TaskCompletionSource<TransferFailure?> waiter in waiters ?? []) waiter.TrySetResult(failure);
    }

    /// <summary>Starts queued work up to the limits. Not reentrant.</summary>
    public void StartDue()
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

    /// <summary>Starts no more rounds; completes when none is running.</summary>
    public Task StopAsync()
    {
        lock (_context.Gate)
        {
            _checks.Clear();
            _transfers.Clear();
            _idle ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            if (!HasRunning) _idle.TrySetResult();
            return _idle.Task;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _schedule.Dispose();

    /// <summary>Handles due zones: expiry or refresh.</summary>
    private void OnTime()
    {
        while (_schedule.Take() is { } zone)
        {
            bool isTooOld;
            lock (_context.Gate)
            {
                if (zone.IsGone || IsStopping) continue;
                isTooOld = _context.IsTooOld(zone) && zone.State != ZoneState.Expired;
                if (zone.Activity == SecondaryActivity.Idle && zone.RefreshDue <= _context.Clock.Now) Begin(zone);
                Plan(zone);
            }
            if (isTooOld) _expire(zone);
        }
        StartDue();
    }

    private void Begin(SecondaryZone zone)
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
        if (zone.PrimariesLeft == 0 || zone.IsGone || IsStopping) return false;
        QueueCheck(zone);
        return true;
    }

    private bool TryTakeWork([NotNullWhen(true)] out Func<Task>? work)
    {
        lock (_context.Gate)
        {
            work = null;
            if (IsStopping) return false;
            SecondaryOptions options = _context.Options;
            if (Take(_transfers, options.Transfer.MaxIncoming, out IPEndPoint? slot) is { } transferred)
            {
                transferred.Activity = SecondaryActivity.Transfers;
                transferred.Work = CancellationTokenSource.CreateLinkedTokenSource(_context.Stopping.Token);
                work = () => RunAsync(transferred, slot!, isTransfer: true);
            }
            else if (Take(_checks, options.MaxChecks, out slot) is { } queried)
            {
                queried.Activity = SecondaryActivity.Checks;
                work = () => RunAsync(queried, slot!, isTransfer: false);
            }
            return work is not null;
        }
    }

    private static SecondaryZone? Take(PrimaryQueue waiting, int most, out IPEndPoint? slot)
    {
        int free = Math.Max(1, most) - waiting.Running;
        slot = null;
        while (free > 0 && waiting.Dequeue(free, out slot) is { } zone)
        {
            if (!zone.IsGone) return zone;
            waiting.Leave(slot!);
        }
        return null;
    }

    /// <summary>Tries one primary; unless that decides, the next one is queued.</summary>
    /// <param name="slot">The primary in whose share of slots this runs.</param>
    private async Task RunAsync(SecondaryZone zone, IPEndPoint slot, bool isTransfer)
    {
        TransferFailure? failure;
        try
        {
            failure = await _try(zone, isTransfer).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            _context.Observer.OnFault(zone.Name, error);
            failure = new(TransferFailureKind.Cancelled, error.Message);
        }
        bool continues;
        lock (_context.Gate)
        {
            (isTransfer ? _transfers : _checks).Leave(slot);
            if (isTransfer)
            {
                zone.Work?.Dispose();
                (zone.Running, zone.Work) = (null, null);
            }
            continues = failure is not null && TryContinue(zone);
        }
        if (failure is not null)
        {
            _context.Counters.Count(failure.Kind);
            if (!continues) _fail(zone, failure);
        }
        lock (_context.Gate)
            if (!HasRunning) _idle?.TrySetResult();
        StartDue();
    }
}
