namespace Dns.Forwarding.InFlight;

/// <content>Replies.</content>
internal sealed partial class UpstreamQuery
{
    // Mismatched IDs or letter cases after which a question moves to a stream, which cannot be forged off-path.
    internal const int GuessesBeforeStream = 8;

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    public void Receive(in PendingTry pending, ReadOnlySpan<byte> reply, bool isStream)
    {
        Unsafe.SkipInit(out LookupName name);
        OptReader opt = default;
        if (MessageReader.TryOpen(reply, out MessageReader message)) message.TryFindOpt(out opt);
        long now = table.Clock.Now;
        bool isOurs;
        Step step;
        scoped Question question = default;
        ZoneUpstreams zone;
        lock (_gate)
        {
            if (!IsCurrent(pending) || _tries[pending.Index].IsBeingRead) return;
            zone = _zone;
            isOurs = Recognise(ref _tries[pending.Index], reply, in opt, isStream, now, out step);
            if (isOurs)
            {
                _tries[pending.Index].IsBeingRead = true;
                name.Set(NameOctets);
                question = new(in name, Type, Class, _flags, _view);
            }
        }
        if (isOurs) Evaluate(in pending, in question, reply, zone, opt.ExtendedError);
        else Run(step);
    }

    public void CountGuess(in PendingTry pending)
    {
        Step step = default;
        lock (_gate)
        {
            if (IsCurrent(pending)) step = CountGuess(_tries[pending.Index].Number);
        }
        Run(step);
    }

    public void EndOfStream(in PendingTry pending, bool hadReplies)
    {
        Step step;
        lock (_gate)
        {
            if (!IsCurrent(pending)) return;
            ref UpstreamTry t = ref _tries[pending.Index];
            t.End(TryOutcome.NetworkError, table.Clock.Now);
            _error = ExtendedErrorCode.NetworkError;
            if (hadReplies && !_hasReconnected)
            {
                // Upstreams may close streams at any time; pending queries are retried (RFC 7766 §6.2.4).
                _hasReconnected = true;
                step = SendTo(t.Number, overStream: true, t.HasEdns);
            }
            else
            {
                bool wasRemembered = !hadReplies && _zone[t.Number].ForgetStream();
                bool mayUseUdp = _isStreamOnly
                    ? !hadReplies && TryReturnToDatagrams(t.Number)
                    : wasRemembered && !HasTried(t.Number, isStream: false);
                if (!mayUseUdp) _failed |= 1u << t.Number;
                step = mayUseUdp ? SendTo(t.Number, overStream: false, t.HasEdns) : SendNext();
            }
        }
        Run(step);
    }

    // Whether a message with the ID of a try is the upstream's reply, by everything that a forger would have to guess.
    // Under the lock. A mismatch is only counted, and the true reply is still awaited.
    private bool Recognise(ref UpstreamTry t, ReadOnlySpan<byte> reply, in OptReader opt, bool isStream, long now,
        out Step step)
    {
        Upstream upstream = _zone[t.Number];
        opt.TryFind(EdnsOptionCode.Cookie, out ReadOnlySpan<byte> cookie);
        step = default;
        switch (ReplyMatch.Compare(reply, QuestionOctets))
        {
            case ReplyMatch.Kind.OtherCase when !isStream && table.Options.RandomizesCase:
                upstream.CountMismatch();
                upstream.RememberStream();
                table.Counters.CountMismatch();
                step = SendOverStream(ref t, TryOutcome.Doubtful);
                return false;
            case not ReplyMatch.Kind.None when HasCookie(in t, upstream, cookie, isStream, out bool isMissing):
                if (!isStream) upstream.RoundTrip.Add(now - t.SentAt);
                upstream.CountAnswer(now);
                if (opt.IsPresent) upstream.RememberEdns();
                if (isMissing) upstream.Cookie.Forget();
                else if (t.HasEdns && upstream.Cookie.Matches(cookie)) upstream.Cookie.Learn(cookie);
                // It changes our cookie: its datagrams look like forged ones.
                else if (t.HasEdns && !cookie.IsEmpty) upstream.RememberStream();
                return true;
            case not ReplyMatch.Kind.None:
                // Its cookie is not ours, or none, although it used to send one: either this reply is forged, or the
                // upstream or something before it has changed. A stream decides.
                upstream.CountMismatch();
                table.Counters.CountMismatch();
                step = SendOverStream(ref t, TryOutcome.Doubtful);
                return false;
            default:
                upstream.CountMismatch();
                step = CountGuess(t.Number);
                return false;
        }
    }

    /// <summary>Whether a reply has the cookie it must have (RFC 7873 §5.3); over a stream it needs none.</summary>
    private static bool HasCookie(in UpstreamTry t, Upstream upstream, ReadOnlySpan<byte> cookie, bool isStream,
        out bool isMissing)
    {
        isMissing = t.HasEdns && cookie.IsEmpty && upstream.Cookie.IsExpected;
        return !t.HasEdns || isStream || (cookie.IsEmpty ? !isMissing : upstream.Cookie.Matches(cookie));
    }

    /// <summary>Parses a matching reply without the lock, and ends the upstream query or continues it.</summary>
    private void Evaluate(
        in PendingTry pending, scoped in Question question, ReadOnlySpan<byte> reply, ZoneUpstreams zone,
        ExtendedErrorCode? error)
    {
        AcceptedAnswer answer = table.Answers.Rent();
        ReplyVerdict verdict = ReplyReader.Read(in question, reply, zone.Rules, zone.TrustsAuthenticData, answer);
        if (verdict == ReplyVerdict.Accepted)
        {
            // Cached before the upstream query is removed: otherwise a client in between would start another.
            if (!zone.IsReplaced) table.Cache.Store(in question, answer);
            // The upstreams changed a moment ago, and the cache was flushed before this entry.
            if (zone.IsReplaced) table.Cache.Forget(in question);
            Conclude(in pending, answer);
        }
        else
        {
            Step step = default;
            lock (_gate)
            {
                if (IsCurrent(pending)) step = React(verdict, error, ref _tries[pending.Index]);
            }
            Run(step);
        }
        table.Answers.Return(answer);
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
            long now = table.Clock.Now;
            ref UpstreamTry t = ref _tries[pending.Index];
            t.End(TryOutcome.Answered, now);
            reports = TryReports.Of(Tries, _zone, now);
            // An upstream that supports EDNS but fails on one question must still get EDNS, and so DO, for others.
            if (!t.HasEdns && HasTriedWithEdns(t.Number) && !_zone[t.Number].ProvedEdns)
                _zone[t.Number].RememberPlain();
            waiters = Close(out tries, out sends);
        }
        RelayedAnswer header = answer.Header;
        table.Counters.CountAnswered();
        table.Notify(waiters, in header, answer.Records, reports[..sends]);
        Retire(ref tries, sends);
    }

    /// <summary>Decides the next step after a reply that is not an answer. Under the lock.</summary>
    /// <param name="error">The upstream's extended error, which says more than ours; null for none.</param>
    private Step React(ReplyVerdict verdict, ExtendedErrorCode? error, ref UpstreamTry t)
    {
        t.IsBeingRead = false;
        switch (verdict)
        {
            // A reply with everything that a forger has to guess, but cut off or damaged: no better one follows it.
            case ReplyVerdict.Truncated or ReplyVerdict.Malformed when !t.IsStream:
                return SendOverStream(ref t, TryOutcome.Truncated);
            case ReplyVerdict.FormatError when t.HasEdns:
                return SendWithoutEdns(ref t);
            case ReplyVerdict.BadCookie when !t.IsStream:
                if (_hadBadCookie) return SendOverStream(ref t, TryOutcome.BadCookie);
                _hadBadCookie = true;
                t.End(TryOutcome.BadCookie, table.Clock.Now);
                return SendTo(t.Number, overStream: false, withEdns: true);
            default:
                t.End(TryOutcome.Refused, table.Clock.Now);
                _failed |= 1u << t.Number;
                _error = error ?? (verdict == ReplyVerdict.Refused
                    ? ExtendedErrorCode.NoReachableAuthority : ExtendedErrorCode.NetworkError);
                return SendNext();
        }
    }

    private Step SendWithoutEdns(ref UpstreamTry t)
    {
        t.End(TryOutcome.FormatError, table.Clock.Now);
        return SendTo(t.Number, t.IsStream, withEdns: false);
    }

    private Step SendOverStream(ref UpstreamTry t, TryOutcome why)
    {
        t.End(why, table.Clock.Now);
        _zone[t.Number].CountStreamFallback();
        table.Counters.CountStreamFallback();
        return SendTo(t.Number, overStream: true, t.HasEdns);
    }

    /// <summary>Counts a mismatch; after a few, datagrams no longer count for this question. Under the lock.</summary>
    private Step CountGuess(int number)
    {
        table.Counters.CountMismatch();
        if (_isStreamOnly || ++_guesses < GuessesBeforeStream) return default;
        _isStreamOnly = true;
        foreach (ref UpstreamTry t in Tries)
            if (!t.IsStream) t.End(TryOutcome.Doubtful, table.Clock.Now);
        _zone[number].CountStreamFallback();
        table.Counters.CountStreamFallback();
        return SendTo(number, overStream: true, _zone[number].TakesEdns);
    }

    // The upstream supports no streams: datagrams count again, once, from fresh ports that a forger cannot know yet.
    // Under the lock.
    private bool TryReturnToDatagrams(int number)
    {
        if (!_isStreamOnly || _wantsFreshPort || !_zone[number].HasDatagrams) return false;
        (_isStreamOnly, _guesses, _wantsFreshPort) = (false, 0, true);
        return true;
    }

    private bool HasTried(int number, bool isStream)
    {
        foreach (ref UpstreamTry t in Tries)
            if (t.Number == number && t.IsStream == isStream) return true;
        return false;
    }

    private bool HasTriedWithEdns(int number)
    {
        foreach (ref UpstreamTry t in Tries)
            if (t.Number == number && t.HasEdns) return true;
        return false;
    }
}
