namespace Dns.Forwarding.InFlight;

/// <content>Sending.</content>
internal sealed partial class UpstreamQuery
{
    private const int StreamAttempts = 2, DatagramAttempts = 2;

    private enum StepKind : byte
    {
        /// <summary>Wait.</summary>
        None,

        Send,

        /// <summary>Complete all waiters with a failure.</summary>
        Fail,
    }

    /// <summary>The action after the lock is released.</summary>
    private readonly record struct Step(StepKind Kind, int Generation, int Index);

    /// <summary>Sends the first try, once the query is in the table.</summary>
    internal void Start(int generation)
    {
        Step step;
        lock (_gate)
        {
            if (!_isLive || Generation != generation) return;
            step = SendNext();
        }
        Run(step);
    }

    /// <summary>Selects the next upstream and transport. Under the lock.</summary>
    private Step SendNext()
    {
        int number = _sends < _limit ? _zone.Choose(Tries, _failed, _first) : ZoneUpstreams.AllFailed;
        if (number >= 0)
        {
            Upstream upstream = _zone[number];
            return SendTo(number, _isStreamOnly || upstream.WantsStream, upstream.TakesEdns);
        }
        // When held back, it retries later, so that a short outage needs no new client query.
        _retryAt = number == ZoneUpstreams.HeldBack ? table.Clock.Now + RoundTrip.MostWait : long.MaxValue;
        foreach (ref UpstreamTry t in Tries)
            if (t.IsActive) return Wait();
        return new(StepKind.Fail, Generation, 0);
    }

    /// <summary>Prepares another try. Under the lock.</summary>
    private Step SendTo(int number, bool overStream, bool withEdns)
    {
        // The limit holds whatever a reply requests.
        if (_sends >= _limit) return SendNext();
        Upstream upstream = _zone[number];
        long now = table.Clock.Now;
        int index = _sends++;
        _tries[index] =
            new() { Number = number, SentAt = now, IsActive = true, IsStream = overStream, HasEdns = withEdns };
        long wait = Math.Min(upstream.RoundTrip.Wait << _timeouts, RoundTrip.MostWait);
        // The first reply over a stream takes two round trips.
        _retryAt = now + (overStream ? Math.Min(wait * 2, RoundTrip.MostWait) : wait);
        Arm();
        return new(StepKind.Send, Generation, index);
    }

    private Step Wait()
    {
        Arm();
        return default;
    }

    /// <summary>Runs a step, and those that follow from its failure. Without the lock.</summary>
    private void Run(Step step)
    {
        while (step.Kind == StepKind.Send && !TryTransmit(step, out bool isFull))
        {
            lock (_gate)
            {
                if (!_isLive || Generation != step.Generation) return;
                ref UpstreamTry t = ref _tries[step.Index];
                t.End(isFull ? TryOutcome.Evicted : TryOutcome.NetworkError, table.Clock.Now);
                if (isFull) _failed |= 1u << t.Number;
                // Of an upstream that is down the failure is expected: as if it were silent.
                if (_zone[t.Number].State != UpstreamState.Down) _error = ExtendedErrorCode.NetworkError;
                step = SendNext();
            }
        }
        if (step.Kind == StepKind.Fail) Fail(step.Generation);
    }

    /// <param name="isFull">Whether it cannot be sent because the streams have no place for it.</param>
    /// <returns>False if it cannot be sent; true also if the upstream query has ended meanwhile.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryTransmit(Step step, out bool isFull)
    {
        isFull = false;
        Span<byte> query = stackalloc byte[UpstreamQueryMessage.MaxOctets];
        PendingTry pending;
        Upstream upstream;
        bool isStream, wantsFreshPort;
        int length;
        lock (_gate)
        {
            if (!_isLive || Generation != step.Generation) return true;
            ref UpstreamTry t = ref _tries[step.Index];
            upstream = _zone[t.Number];
            (isStream, wantsFreshPort) = (t.IsStream, _wantsFreshPort);
            pending = new(this, step.Generation, step.Index, _nameHash) { SentAt = t.SentAt };
            Span<byte> cookie = stackalloc byte[UpstreamCookie.MaxOctets];
            int cookieOctets = t.HasEdns ? upstream.Cookie.Copy(cookie) : 0;
            length = UpstreamQueryMessage.Write(
                query, QuestionOctets, _flags, _zone.TrustsAuthenticData, t.HasEdns, cookie[..cookieOctets]);
        }
        query = query[..length];
        NetworkFault? fault = null;
        if (!isStream)
        {
            for (int i = 0; i < DatagramAttempts; i++)
            {
                DatagramPort? port = upstream.Ports.Choose(out NetworkFault? unopened, wantsFreshPort || i > 0);
                fault = null;
                if (TryTransmit(in pending, query, upstream, port, ref fault)) return true;
                if ((fault ?? unopened) is not { IsUnreachable: true }) return false;
                if (fault is null) continue;
                // Its own address may be gone, as with another lease: a new socket has the one of now. A forged ICMP
                // message costs a socket. If that cannot send either, no more are opened for a while.
                upstream.Ports.Discard(port!);
                if (i > 0 && unopened is null) upstream.Ports.Pause(fault);
            }
            upstream.CountUnreachable();
            return false;
        }
        // The upstream may have closed a stream since it was selected; then a second one is opened.
        for (int i = 0; i < StreamAttempts; i++)
        {
            StreamConnection? connection = upstream.Streams.Choose(Owner);
            isFull = connection is null;
            if (TryTransmit(in pending, query, upstream, connection, ref fault)) return true;
        }
        return false;
    }

    /// <param name="fault">Set if it cannot be sent over the path.</param>
    private bool TryTransmit(in PendingTry pending, Span<byte> query, Upstream upstream, UpstreamPath? path,
        ref NetworkFault? fault)
    {
        if (path is null || !path.TryRegister(pending, table.Random, out ushort id)) return false;
        bool isCurrent;
        lock (_gate)
        {
            isCurrent = IsCurrent(pending);
            if (isCurrent) (_tries[pending.Index].Path, _tries[pending.Index].Id) = (path, id);
        }
        if (!isCurrent)
        {
            path.Remove(id, this);
            return true;
        }
        MessageHeader.SetId(query, id);
        upstream.CountSent();
        table.Counters.CountSent();
        if (path.TrySend(query, out fault)) return true;
        lock (_gate)
        {
            if (_isLive && Generation == pending.Generation) _tries[pending.Index].Path = null;
            else return true;
        }
        path.Remove(id, this);
        return false;
    }
}
