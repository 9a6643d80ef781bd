namespace Dns.Forwarding.InFlight;

/// <summary>
/// The tries of one question: which upstream and transport gets the next one, what follows a reply that is no answer,
/// and when the newest try has taken too long. Only decides: its <see cref="UpstreamQuery"/> sends. All under the lock
/// of that; pooled with it.
/// </summary>
internal sealed class TryLadder(InFlightTable table, UpstreamQuery query)
{
    // Mismatched IDs or letter cases after which a question moves to a stream, which cannot be forged off-path.
    internal const int GuessesBeforeStream = 8;

    private UpstreamTries _tries;
    private int _limit;
    private int _timeouts;
    private int _guesses;
    private int _first;
    private uint _failed;
    private bool _isStreamOnly;
    private bool _hasReconnected;
    private bool _hadBadCookie;

    internal enum StepKind : byte
    {
        /// <summary>Wait.</summary>
        None,

        Send,

        /// <summary>Complete all waiters with a failure.</summary>
        Fail,
    }

    /// <summary>The action after the lock is released.</summary>
    internal readonly record struct Step(StepKind Kind, int Index);

    internal ZoneUpstreams Zone { get; private set; } = null!;

    /// <summary>The number of tries.</summary>
    internal int Sends { get; private set; }

    /// <summary>When the newest try has taken too long, in ticks of the clock.</summary>
    internal long RetryAt { get; private set; }

    /// <summary>The reason of a failure.</summary>
    internal ExtendedErrorCode Error { get; private set; }

    /// <summary>Whether datagrams go from ports that a forger cannot know yet.</summary>
    internal bool WantsFreshPort { get; private set; }

    /// <summary>Whether a try was made and no upstream has replied since.</summary>
    internal bool IsUnanswered => Sends > 0 && !Zone.HasRepliedSince(_tries[0].SentAt);

    /// <summary>Whether the newest try got no place on a stream.</summary>
    internal bool WasEvicted => Sends > 0 && _tries[Sends - 1].Outcome == TryOutcome.Evicted;

    /// <summary>
    /// Whether it ended for lack of tries, which aliases before had used, or of a place on a stream. That says nothing
    /// about the name: a cached failure (RFC 9520) would let one client's aliases block it for all.
    /// </summary>
    internal bool EndedByOwnLimit => WasEvicted || Sends > 0 && _limit < UpstreamQuery.MaxSends && Sends >= _limit
        && Zone.Choose(Tries, _failed, _first) != ZoneUpstreams.AllFailed;

    private Span<UpstreamTry> Tries => MemoryMarshal.CreateSpan(ref _tries[0], Sends);

    private bool HasActive
    {
        get
        {
            foreach (ref UpstreamTry t in Tries)
                if (t.IsActive) return true;
            return false;
        }
    }

    internal ref UpstreamTry this[int index] => ref _tries[index];

    internal TryReports Report(long now) => TryReports.Of(Tries, Zone, now);

    /// <summary>Begins another question.</summary>
    internal void Open(ZoneUpstreams zone, int limit)
    {
        (Zone, _limit, _first) = (zone, limit, zone.DrawFirst());
        (Sends, _timeouts, _guesses, _failed) = (0, 0, 0, 0);
        (RetryAt, Error) = (long.MaxValue, ExtendedErrorCode.NoReachableAuthority);
        _isStreamOnly = WantsFreshPort = _hasReconnected = _hadBadCookie = false;
    }

    /// <summary>Ends the question; the caller deregisters the tries.</summary>
    internal void Close(out UpstreamTries tries, out int sends)
    {
        (tries, sends) = (_tries, Sends);
        _tries = default;
        // A pooled object would keep former upstreams alive.
        Zone = null!;
    }

    /// <summary>Selects the next upstream and transport.</summary>
    internal Step SendNext()
    {
        int number = Sends < _limit ? Zone.Choose(Tries, _failed, _first) : ZoneUpstreams.AllFailed;
        if (number >= 0)
        {
            Upstream upstream = Zone[number];
            return SendTo(number, _isStreamOnly || upstream.WantsStream, upstream.TakesEdns);
        }
        // When held back, it retries later, so that a short outage needs no new client query.
        RetryAt = number == ZoneUpstreams.HeldBack ? table.Clock.Now + RoundTrip.MostWait : long.MaxValue;
        if (!HasActive) return new(StepKind.Fail, 0);
        query.Arm();
        return default;
    }

    /// <summary>A new waiter may have a higher limit than those before. If their limit is used up, continues.</summary>
    internal void Raise(int limit)
    {
        if (limit > _limit) RaiseSlow(limit);
    }

    private void RaiseSlow(int limit)
    {
        bool isExhausted = Sends >= _limit && RetryAt == long.MaxValue;
        _limit = limit;
        if (!isExhausted) return;
        ref UpstreamTry newest = ref _tries[Sends - 1];
        RetryAt = table.Clock.Now + (newest.IsActive && !newest.IsOverdue ? RoundTrip.MostWait : 0);
        query.Arm();
    }

    /// <summary>The newest try timed out; a late reply still counts.</summary>
    internal Step RetryAfterTimeout(long now, ulong nameHash)
    {
        ref UpstreamTry t = ref _tries[Sends - 1];
        if (t.IsActive && !t.IsOverdue)
        {
            Zone[t.Number].CountTimeout(t.SentAt, nameHash, now);
            (t.Outcome, t.EndedAt) = (TryOutcome.TimedOut, now);
        }
        t.IsOverdue = true;
        if (t.Outcome != TryOutcome.Evicted) _timeouts++;
        bool mayTakeNoStreams = t.IsActive && t.Path is StreamConnection { HadReplies: false };
        return mayTakeNoStreams && TryReturnToDatagrams(t.Number)
            ? SendTo(t.Number, overStream: false, t.HasEdns) : SendNext();
    }

    /// <summary>A try could not be sent, because the streams have no place for it or for another reason.</summary>
    internal Step RetryUnsent(int index, bool isFull)
    {
        ref UpstreamTry t = ref _tries[index];
        t.End(isFull ? TryOutcome.Evicted : TryOutcome.NetworkError, table.Clock.Now);
        if (isFull) _failed |= 1u << t.Number;
        // Of an upstream that is down the failure is expected: as if it were silent.
        if (Zone[t.Number].State != UpstreamState.Down) Error = ExtendedErrorCode.NetworkError;
        return SendNext();
    }

    /// <summary>A try was evicted from its stream.</summary>
    internal void Evict(int index)
    {
        ref UpstreamTry t = ref _tries[index];
        t.End(TryOutcome.Evicted, table.Clock.Now);
        if (HasActive) return;
        _failed |= 1u << t.Number;
        Error = ExtendedErrorCode.NetworkError;
        // Retried by the wheel: an immediate retry could evict the next one from the streams of the next upstream.
        RetryAt = table.Clock.Now;
        query.Arm();
    }

    /// <summary>The stream of a try has ended.</summary>
    internal Step RetryAfterEnd(int index, bool hadReplies)
    {
        ref UpstreamTry t = ref _tries[index];
        t.End(TryOutcome.NetworkError, table.Clock.Now);
        Error = ExtendedErrorCode.NetworkError;
        if (hadReplies && !_hasReconnected)
        {
            // Upstreams may close streams at any time; pending queries are retried (RFC 7766 §6.2.4).
            _hasReconnected = true;
            return SendTo(t.Number, overStream: true, t.HasEdns);
        }
        bool wasRemembered = !hadReplies && Zone[t.Number].ForgetStream();
        bool mayUseUdp = _isStreamOnly
            ? !hadReplies && TryReturnToDatagrams(t.Number)
            : wasRemembered && !HasTried(t.Number, isStream: false);
        if (mayUseUdp) return SendTo(t.Number, overStream: false, t.HasEdns);
        _failed |= 1u << t.Number;
        return SendNext();
    }

    /// <summary>The upstream of a try cannot answer this question: another one is selected.</summary>
    internal Step RetryElsewhere(int index, TryOutcome outcome)
    {
        ref UpstreamTry t = ref _tries[index];
        t.End(outcome, table.Clock.Now);
        _failed |= 1u << t.Number;
        return SendNext();
    }

    /// <summary>
    /// Whether a message with the ID of a try is the upstream's reply, which is then being read. A mismatch is only
    /// counted, and the true reply is still awaited.
    /// </summary>
    internal bool Recognise(
        int index, ReadOnlySpan<byte> question, ReadOnlySpan<byte> reply, in OptReader opt, bool isStream, long now,
        out Step step)
    {
        ref UpstreamTry t = ref _tries[index];
        Upstream upstream = Zone[t.Number];
        Recognition found = ReplyRecognition.Of(
            in t, upstream, question, reply, in opt, isStream, table.Options.RandomizesCase, now);
        step = default;
        t.IsBeingRead = found == Recognition.Ours;
        if (t.IsBeingRead) return true;
        upstream.CountMismatch();
        if (found == Recognition.Doubtful) table.Counters.CountMismatch();
        step = found == Recognition.Doubtful ? SendOverStream(ref t, TryOutcome.Doubtful) : CountGuess(t.Number);
        return false;
    }

    /// <summary>Decides the next step after a reply that is not an answer.</summary>
    /// <param name="error">The upstream's extended error, which says more than ours; null for none.</param>
    internal Step React(int index, ReplyVerdict verdict, ExtendedErrorCode? error)
    {
        ref UpstreamTry t = ref _tries[index];
        t.IsBeingRead = false;
        switch (verdict)
        {
            // A reply with everything that a forger has to guess, but cut off or damaged: no better one follows it.
            case ReplyVerdict.Truncated or ReplyVerdict.Malformed when !t.IsStream:
                return SendOverStream(ref t, TryOutcome.Truncated);
            case ReplyVerdict.FormatError when t.HasEdns:
                t.End(TryOutcome.FormatError, table.Clock.Now);
                return SendTo(t.Number, t.IsStream, withEdns: false);
            case ReplyVerdict.BadCookie when !t.IsStream:
                if (_hadBadCookie) return SendOverStream(ref t, TryOutcome.BadCookie);
                _hadBadCookie = true;
                t.End(TryOutcome.BadCookie, table.Clock.Now);
                return SendTo(t.Number, overStream: false, withEdns: true);
            default:
                Error = error ?? (verdict == ReplyVerdict.Refused
                    ? ExtendedErrorCode.NoReachableAuthority : ExtendedErrorCode.NetworkError);
                return RetryElsewhere(index, TryOutcome.Refused);
        }
    }

    /// <summary>A try was answered.</summary>
    internal void EndAnswered(int index, long now)
    {
        ref UpstreamTry t = ref _tries[index];
        t.End(TryOutcome.Answered, now);
        // An upstream that supports EDNS but fails on one question must still get EDNS, and so DO, for others.
        if (!t.HasEdns && HasTriedWithEdns(t.Number) && !Zone[t.Number].ProvedEdns) Zone[t.Number].RememberPlain();
    }

    /// <summary>Counts a mismatch; after a few, datagrams no longer count for this question.</summary>
    internal Step CountGuess(int number)
    {
        table.Counters.CountMismatch();
        if (_isStreamOnly || ++_guesses < GuessesBeforeStream) return default;
        _isStreamOnly = true;
        foreach (ref UpstreamTry t in Tries)
            if (!t.IsStream) t.End(TryOutcome.Doubtful, table.Clock.Now);
        return SendOverStream(number, Zone[number].TakesEdns);
    }

    // The try that came back as a client's query; -1 if none. Address and port alone may be forged, and a loop excludes
    // the upstream for all clients: ID and letter case must be those sent, which a forger has to guess. A wrong guess
    // waits like any other query, so there are at most ClientShares.MostOfQuestion at a time.
    internal int FindLoop(in ClientAddress client, IAnswerWaiter waiter)
    {
        for (int i = 0; i < Sends; i++)
            if (_tries[i].Path is DatagramPort port && port.Local.Equals(client)
                && waiter.Matches(_tries[i].Id, query.QuestionOctets)) return i;
        return -1;
    }

    private Step SendOverStream(ref UpstreamTry t, TryOutcome why)
    {
        t.End(why, table.Clock.Now);
        return SendOverStream(t.Number, t.HasEdns);
    }

    private Step SendOverStream(int number, bool withEdns)
    {
        Zone[number].CountStreamFallback();
        table.Counters.CountStreamFallback();
        return SendTo(number, overStream: true, withEdns);
    }

    /// <summary>Prepares another try.</summary>
    private Step SendTo(int number, bool overStream, bool withEdns)
    {
        // The limit holds whatever a reply requests.
        if (Sends >= _limit) return SendNext();
        Upstream upstream = Zone[number];
        long now = table.Clock.Now;
        int index = Sends++;
        _tries[index] =
            new() { Number = number, SentAt = now, IsActive = true, IsStream = overStream, HasEdns = withEdns };
        long wait = Math.Min(upstream.RoundTrip.Wait << _timeouts, RoundTrip.MostWait);
        // The first reply over a stream takes two round trips.
        RetryAt = now + (overStream ? Math.Min(wait * 2, RoundTrip.MostWait) : wait);
        query.Arm();
        return new(StepKind.Send, index);
    }

    // The upstream supports no streams: datagrams count again, once, from fresh ports that a forger cannot know yet.
    private bool TryReturnToDatagrams(int number)
    {
        if (!_isStreamOnly || WantsFreshPort || !Zone[number].HasDatagrams) return false;
        (_isStreamOnly, _guesses, WantsFreshPort) = (false, 0, true);
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
