namespace Dns.Forwarding.InFlight;

/// <content>Sending.</content>
internal sealed partial class UpstreamQuery
{
    private const int StreamAttempts = 2, DatagramAttempts = 2;

    /// <summary>Sends the first try, once the query is in the table.</summary>
    internal void Start(int generation)
    {
        TryLadder.Step step;
        lock (_gate)
        {
            if (!_isLive || Generation != generation) return;
            step = _ladder.SendNext();
        }
        Run(step, generation);
    }

    /// <summary>Runs a step, and those that follow from its failure. Without the lock.</summary>
    private void Run(TryLadder.Step step, int generation)
    {
        while (step.Kind == TryLadder.StepKind.Send && !TryTransmit(step.Index, generation, out bool isFull))
        {
            lock (_gate)
            {
                if (!_isLive || Generation != generation) return;
                step = _ladder.RetryUnsent(step.Index, isFull);
            }
        }
        if (step.Kind == TryLadder.StepKind.Fail) Fail(generation);
    }

    /// <param name="isFull">Whether it cannot be sent because the streams have no place for it.</param>
    /// <returns>False if it cannot be sent; true also if the upstream query has ended meanwhile.</returns>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryTransmit(int index, int generation, out bool isFull)
    {
        isFull = false;
        Span<byte> query = stackalloc byte[UpstreamQueryMessage.MaxOctets];
        PendingTry pending;
        Upstream upstream;
        bool isStream, wantsFreshPort;
        int length;
        lock (_gate)
        {
            if (!_isLive || Generation != generation) return true;
            ref UpstreamTry t = ref _ladder[index];
            ZoneUpstreams zone = _ladder.Zone;
            upstream = zone[t.Number];
            (isStream, wantsFreshPort) = (t.IsStream, _ladder.WantsFreshPort);
            pending = new(this, generation, index, _nameHash) { SentAt = t.SentAt };
            Span<byte> cookie = stackalloc byte[UpstreamCookie.MaxOctets];
            int cookieOctets = t.HasEdns ? upstream.Cookie.Copy(cookie) : 0;
            length = UpstreamQueryMessage.Write(
                query, QuestionOctets, _flags, zone.TrustsAuthenticData, t.HasEdns, cookie[..cookieOctets]);
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
        if (path is null || !path.TryRegister(pending, _table.Random, out ushort id)) return false;
        bool isCurrent;
        lock (_gate)
        {
            isCurrent = IsCurrent(pending);
            if (isCurrent) (_ladder[pending.Index].Path, _ladder[pending.Index].Id) = (path, id);
        }
        if (!isCurrent)
        {
            path.Remove(id, this);
            return true;
        }
        MessageHeader.SetId(query, id);
        upstream.CountSent();
        _table.Counters.CountSent();
        if (path.TrySend(query, out fault)) return true;
        lock (_gate)
        {
            if (_isLive && Generation == pending.Generation) _ladder[pending.Index].Path = null;
            else return true;
        }
        path.Remove(id, this);
        return false;
    }
}
