using System.Diagnostics;

namespace Dns.Forwarding.InFlight;

/// <summary>
/// One question in flight: its waiters, and the tries to answer it. Starts with the first waiter; ends with an answer,
/// with the failure of all upstreams or at its deadline, and then completes the remaining waiters. Pooled. The lock
/// guards all fields and is held for a few instructions: what to send, parse, cache or complete is decided under it and
/// done after it. A late call, of a timer or for a reply, carries its generation (<see cref="WheelNode.Generation"/>).
/// </summary>
internal sealed partial class UpstreamQuery : WheelNode, IReplySink
{
    /// <summary>The maximum number of tries for one question.</summary>
    internal const int MaxSends = 5;

    private const int FixedOctets = 4;

    private readonly Lock _gate = new();
    private readonly byte[] _question = new byte[WireName.MaxOctets + FixedOctets];
    private readonly InFlightTable _table;
    private readonly TryLadder _ladder;
    private WaiterNode? _firstWaiter;
    private WaiterNode? _lastWaiter;
    private QuestionKey _key;
    private ulong _hash;
    private ulong _nameHash;
    private long _deadline;
    private long _answerAt;
    private int _questionOctets;
    private long _owner;
    private QuestionFlags _flags;
    private ushort _view;
    private bool _isLive;
    private bool _staleWasGiven;

    internal UpstreamQuery(InFlightTable table)
    {
        _table = table;
        _ladder = new(table, this);
    }

    /// <summary>The result of joining an upstream query.</summary>
    internal enum Joining : byte
    {
        Joined,

        /// <summary>It has ended: look up again.</summary>
        Ended,

        /// <summary>Another question with the same key, or the same one at former upstreams.</summary>
        Other,

        /// <summary>It is a try of this upstream query that came back.</summary>
        Loop,
    }

    public QueryOwner Owner
    {
        get => QueryOwner.Unpack(Volatile.Read(ref _owner));
        private set => Volatile.Write(ref _owner, value.Pack());
    }

    internal ReadOnlySpan<byte> QuestionOctets => _question.AsSpan(0, _questionOctets);

    private ReadOnlySpan<byte> NameOctets => _question.AsSpan(0, _questionOctets - FixedOctets);

    private RRType Type => (RRType)(_question[_questionOctets - 4] << 8 | _question[_questionOctets - 3]);

    private RRClass Class => (RRClass)(_question[_questionOctets - 2] << 8 | _question[_questionOctets - 1]);

    /// <summary>Starts a generation, which is not in the table yet.</summary>
    /// <param name="waiter">The first waiter; null if the answer is for the cache alone.</param>
    /// <param name="limit">The maximum number of tries: 1 to <see cref="MaxSends"/>.</param>
    internal void Open(scoped in Question question, QuestionKey key, ZoneUpstreams zone, WaiterNode? waiter, int limit)
    {
        lock (_gate)
        {
            Debug.Assert(!_isLive && _firstWaiter is null);
            int length = question.Name.Length;
            question.Name.Octets.CopyTo(_question);
            if (_table.Options.RandomizesCase) CaseRandomization.Apply(_question.AsSpan(0, length), _table.Random);
            _question[length] = (byte)((ushort)question.Type >> 8);
            _question[length + 1] = (byte)question.Type;
            _question[length + 2] = (byte)((ushort)question.Class >> 8);
            _question[length + 3] = (byte)question.Class;
            _questionOctets = length + FixedOctets;
            (_key, _flags, _view) = (key, question.Flags, question.View);
            (_hash, _nameHash) = (question.Hash, question.Name.Hash);
            _firstWaiter = _lastWaiter = waiter;
            Owner = QueryOwner.Of(waiter);
            _ladder.Open(zone, limit);
            long now = _table.Clock.Now;
            // A promise to clients, so the wheel's maximum delay is subtracted.
            _deadline = now + _table.Options.Deadline.Ticks - TimingWheel.MostLate;
            _answerAt = waiter is null ? long.MaxValue : AnswerTime(waiter.Since);
            _staleWasGiven = false;
            _isLive = true;
        }
    }

    /// <summary>Withdraws a generation that was never in the table. The caller keeps the waiter.</summary>
    internal void Withdraw()
    {
        lock (_gate)
        {
            _isLive = false;
            _firstWaiter = _lastWaiter = null;
            Generation++;
        }
    }

    /// <summary>Adds a waiter.</summary>
    /// <param name="waiter">The waiter; null if the answer is for the cache alone.</param>
    internal Joining Join(scoped in Question question, ref ClientAddress client, WaiterNode? waiter, int limit)
    {
        int generation;
        int loop = -1;
        bool isLate = false;
        lock (_gate)
        {
            if (!_isLive || _hash != question.Hash)
                return _isLive && IsKeyOf(question.Hash) ? Joining.Other : Joining.Ended;
            if (!IsFor(in question) || _ladder.Zone.IsReplaced) return Joining.Other;
            generation = Generation;
            if (waiter is not null) loop = _ladder.FindLoop(in client, waiter.Waiter);
            if (loop < 0 && waiter is not null)
            {
                Append(waiter);
                if (waiter.IsProven && !Owner.IsProven) Owner = QueryOwner.Of(waiter);
                isLate = _staleWasGiven && IsSlow;
                long answerAt = AnswerTime(waiter.Since);
                if (answerAt < _answerAt) Await(answerAt);
                _ladder.Raise(limit);
            }
        }
        if (loop >= 0) StopLoop(generation, loop);
        else if (isLate) GiveUp(generation);
        return loop >= 0 ? Joining.Loop : Joining.Joined;
    }

    /// <summary>Ends it without an answer.</summary>
    internal void Abort() => Fail(Volatile.Read(ref Generation));

    private bool IsFor(scoped in Question question) =>
        question.Type == Type && question.Class == Class && question.Flags == _flags && question.View == _view
        && WireName.EqualsIgnoreCase(NameOctets, question.Name.Octets);

    /// <summary>Whether a key made of this hash may have found this query.</summary>
    private bool IsKeyOf(ulong hash) => _key.IsMadeOf(hash);

    private void Append(WaiterNode waiter)
    {
        waiter.Next = null;
        if (_lastWaiter is null) _firstWaiter = waiter;
        else _lastWaiter.Next = waiter;
        _lastWaiter = waiter;
    }

    private WaiterNode? TakeWaiters()
    {
        WaiterNode? waiters = _firstWaiter;
        _firstWaiter = _lastWaiter = null;
        return waiters;
    }

    private bool IsCurrent(in PendingTry pending) =>
        _isLive && Generation == pending.Generation && _ladder[pending.Index].IsActive;

    // Ends this generation, under the lock. The caller completes the waiters and then calls Retire.
    private WaiterNode? Close(out UpstreamTries tries, out int sends)
    {
        _isLive = false;
        _table.Wheel.Disarm(this);
        _table.Unlist(_key, this);
        _ladder.Close(out tries, out sends);
        Generation++;
        return TakeWaiters();
    }

    // Deregisters all tries and returns to the pool. Without the lock, since a socket may be closed.
    private void Retire(ref UpstreamTries tries, int sends)
    {
        foreach (ref UpstreamTry t in MemoryMarshal.CreateSpan(ref tries[0], sends)) t.Path?.Remove(t.Id, this);
        _table.Return(this);
    }
}
