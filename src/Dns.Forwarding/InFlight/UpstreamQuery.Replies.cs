namespace Dns.Forwarding.InFlight;

/// <content>Replies.</content>
internal sealed partial class UpstreamQuery
{
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public void Receive(in PendingTry pending, ReadOnlySpan<byte> reply, bool isStream)
    {
        Unsafe.SkipInit(out LookupName name);
        OptReader opt = default;
        if (MessageReader.TryOpen(reply, out MessageReader message)) message.TryFindOpt(out opt);
        long now = _table.Clock.Now;
        bool isOurs;
        TryLadder.Step step;
        scoped Question question = default;
        ZoneUpstreams zone;
        lock (_gate)
        {
            if (!IsCurrent(pending) || _ladder[pending.Index].IsBeingRead) return;
            zone = _ladder.Zone;
            isOurs = _ladder.Recognise(pending.Index, QuestionOctets, reply, in opt, isStream, now, out step);
            if (isOurs)
            {
                name.Set(NameOctets);
                question = new(in name, Type, Class, _flags, _view);
            }
        }
        if (isOurs) Evaluate(in pending, in question, reply, zone, opt.ExtendedError);
        else Run(step, pending.Generation);
    }

    public void CountGuess(in PendingTry pending)
    {
        TryLadder.Step step = default;
        lock (_gate)
        {
            if (IsCurrent(pending)) step = _ladder.CountGuess(_ladder[pending.Index].Number);
        }
        Run(step, pending.Generation);
    }

    public void EndOfStream(in PendingTry pending, bool hadReplies)
    {
        TryLadder.Step step = default;
        lock (_gate)
        {
            if (IsCurrent(pending)) step = _ladder.RetryAfterEnd(pending.Index, hadReplies);
        }
        Run(step, pending.Generation);
    }

    /// <summary>Parses a matching reply without the lock, and ends the upstream query or continues it.</summary>
    private void Evaluate(
        in PendingTry pending, scoped in Question question, ReadOnlySpan<byte> reply, ZoneUpstreams zone,
        ExtendedErrorCode? error)
    {
        AcceptedAnswer answer = _table.Answers.Rent();
        ReplyVerdict verdict = ReplyReader.Read(in question, reply, zone.Rules, zone.TrustsAuthenticData, answer);
        if (verdict == ReplyVerdict.Accepted)
        {
            // Cached before the upstream query is removed: otherwise a client in between would start another.
            if (!zone.IsReplaced) _table.Cache.Store(in question, answer);
            // The upstreams changed a moment ago, and the cache was flushed before this entry.
            if (zone.IsReplaced) _table.Cache.Forget(in question);
            Conclude(in pending, answer);
        }
        else
        {
            TryLadder.Step step = default;
            lock (_gate)
            {
                if (IsCurrent(pending)) step = _ladder.React(pending.Index, verdict, error);
            }
            Run(step, pending.Generation);
        }
        _table.Answers.Return(answer);
    }

    private void Conclude(in PendingTry pending, AcceptedAnswer answer)
    {
        WaiterNode? waiters;
        UpstreamTries tries;
        TryReports reports;
        int sends;
        lock (_gate)
        {
            if (!IsCurrent(pending)) return;
            long now = _table.Clock.Now;
            _ladder.EndAnswered(pending.Index, now);
            reports = _ladder.Report(now);
            waiters = Close(out tries, out sends);
        }
        RelayedAnswer header = answer.Header;
        _table.Counters.CountAnswered();
        _table.Notify(waiters, in header, answer.Records, reports[..sends]);
        Retire(ref tries, sends);
    }
}
