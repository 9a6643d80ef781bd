using System.Diagnostics;
using System.Runtime.InteropServices;
using Dns.Protocol;
using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>
/// One question on its way: who waits for the answer, and the tries to get it. Begins with the first who asks, ends with an
/// answer, with failure of all upstreams or at its deadline; whoever still waits then is told, once. Pooled.
/// </summary>
/// <remarks>
/// The lock guards all fields and is held for a few instructions only: what has to be sent, read, kept or told is decided under
/// it and done after it. A late call, of a timer or for a reply, names the life it belongs to (<see cref="WheelNode.Generation"/>).
/// </remarks>
internal sealed partial class UpstreamQuery(InFlightTable table) : WheelNode, IReplySink
{
    /// <summary>The most queries sent to upstreams for one question, whatever happens.</summary>
    internal const int MaxSends = 5;

    private const int FixedOctets = 4;

    private readonly Lock _gate = new();
    private readonly byte[] _question = new byte[WireName.MaxOctets + FixedOctets];
    private ZoneUpstreams _zone = null!;
    private UpstreamTries _tries;
    private WaiterNode? _firstWaiter;
    private WaiterNode? _lastWaiter;
    private QuestionKey _key;
    private ulong _hash;
    private ulong _nameHash;
    private long _deadline;
    private long _retryAt;
    private long _answerAt;
    private int _questionOctets;
    private int _sends;
    private int _limit;
    private int _timeouts;
    private int _guesses;
    private int _first;
    private int _client;
    private uint _failed;
    private QuestionFlags _flags;
    private ExtendedErrorCode _error;
    private bool _isLive;
    private bool _isStreamOnly;
    private bool _wantsFreshPort;
    private bool _hasReconnected;
    private bool _hadBadCookie;
    private bool _staleWasGiven;

    /// <summary>What became of joining an upstream query.</summary>
    internal enum Joining : byte
    {
        /// <summary>Waits.</summary>
        Joined,

        /// <summary>It has ended: look again.</summary>
        Ended,

        /// <summary>It is about another question with the same key, or asks those that are asked no more.</summary>
        Other,

        /// <summary>The client is a socket of ours.</summary>
        Loop,
    }

    private ReadOnlySpan<byte> QuestionOctets => _question.AsSpan(0, _questionOctets);

    private ReadOnlySpan<byte> NameOctets => _question.AsSpan(0, _questionOctets - FixedOctets);

    private RRType Type => (RRType)(_question[_questionOctets - 4] << 8 | _question[_questionOctets - 3]);

    private RRClass Class => (RRClass)(_question[_questionOctets - 2] << 8 | _question[_questionOctets - 1]);

    private Span<UpstreamTry> Tries => MemoryMarshal.CreateSpan(ref _tries[0], _sends);

    /// <summary>Begins a life. Nobody else knows of it yet.</summary>
    /// <param name="question">What is asked.</param>
    /// <param name="key">The key it will be found by.</param>
    /// <param name="zone">Whom to ask.</param>
    /// <param name="waiter">Who waits; null if the answer is for the cache alone.</param>
    /// <param name="limit">How many queries may be sent: 1 to <see cref="MaxSends"/>.</param>
    internal void Open(scoped in Question question, QuestionKey key, ZoneUpstreams zone, WaiterNode? waiter, int limit)
    {
        lock (_gate)
        {
            Debug.Assert(!_isLive && _firstWaiter is null);
            int length = question.Name.Length;
            question.Name.Octets.CopyTo(_question);
            if (table.Options.RandomizesCase) CaseRandomization.Apply(_question.AsSpan(0, length), table.Random);
            _question[length] = (byte)((ushort)question.Type >> 8);
            _question[length + 1] = (byte)question.Type;
            _question[length + 2] = (byte)((ushort)question.Class >> 8);
            _question[length + 3] = (byte)question.Class;
            _questionOctets = length + FixedOctets;
            (_key, _zone, _flags) = (key, zone, question.Flags);
            (_hash, _nameHash) = (question.Hash, question.Name.Hash);
            _firstWaiter = _lastWaiter = waiter;
            _limit = limit;
            _client = waiter?.Share.Client ?? PendingTry.NoClient;
            _first = zone.DrawFirst();
            long now = table.Clock.Now;
            // Clients are promised to be told by then, so the wheel's lateness is taken off.
            _deadline = now + table.Options.Deadline.Ticks - TimingWheel.MostLate;
            _answerAt = waiter is null ? long.MaxValue : AnswerTime(now);
            _retryAt = long.MaxValue;
            (_sends, _timeouts, _guesses, _failed) = (0, 0, 0, 0);
            _error = ExtendedErrorCode.NoReachableAuthority;
            _isStreamOnly = _wantsFreshPort = _hasReconnected = _hadBadCookie = _staleWasGiven = false;
            _isLive = true;
        }
    }

    /// <summary>Takes back a life that nobody has learnt of. The waiter stays the caller's.</summary>
    internal void Withdraw()
    {
        lock (_gate)
        {
            _isLive = false;
            _firstWaiter = _lastWaiter = null;
            Generation++;
        }
    }

    /// <summary>Lets somebody wait too.</summary>
    /// <param name="question">What they ask.</param>
    /// <param name="client">Who they are.</param>
    /// <param name="waiter">Null if the answer is for the cache alone.</param>
    /// <param name="limit">How many queries may be sent for them.</param>
    internal Joining Join(scoped in Question question, ref ClientAddress client, WaiterNode? waiter, int limit)
    {
        int generation;
        int loop = -1;
        bool isLate = false;
        lock (_gate)
        {
            if (!_isLive || _hash != question.Hash) return _isLive && IsKeyOf(question.Hash) ? Joining.Other : Joining.Ended;
            if (!Asks(in question) || _zone.IsPast) return Joining.Other;
            generation = Generation;
            if (waiter is not null) loop = FindLoop(in client);
            if (loop < 0 && waiter is not null)
            {
                Append(waiter);
                isLate = _staleWasGiven;
                if (_answerAt == long.MaxValue) Await(AnswerTime(waiter.Since));
                if (limit > _limit) Raise(limit);
            }
        }
        if (loop >= 0) StopLoop(generation, loop);
        else if (isLate) GiveUp(generation);
        return loop >= 0 ? Joining.Loop : Joining.Joined;
    }

    /// <summary>Ends it without an answer.</summary>
    internal void Abort() => Fail(Volatile.Read(ref Generation));

    private bool Asks(scoped in Question question) =>
        question.Type == Type && question.Class == Class && question.Flags == _flags
        && WireName.EqualsIgnoreCase(NameOctets, question.Name.Octets);

    /// <summary>Whether a question with that hash may have found this one by a key made of it.</summary>
    private bool IsKeyOf(ulong hash) => _key.IsMadeOf(hash);

    private void Append(WaiterNode waiter)
    {
        waiter.Next = null;
        if (_lastWaiter is null) _firstWaiter = waiter;
        else _lastWaiter.Next = waiter;
        _lastWaiter = waiter;
    }

    /// <summary>
    /// Somebody waits who has more queries left than those before. Where theirs were all sent, goes on with the next. Under the lock.
    /// </summary>
    private void Raise(int limit)
    {
        bool isSpent = _sends >= _limit && _retryAt == long.MaxValue;
        _limit = limit;
        if (!isSpent) return;
        ref UpstreamTry newest = ref _tries[_sends - 1];
        _retryAt = table.Clock.Now + (newest.IsActive && !newest.IsOverdue ? RoundTrip.MostWait : 0);
        Arm();
    }

    private WaiterNode? TakeWaiters()
    {
        WaiterNode? waiters = _firstWaiter;
        _firstWaiter = _lastWaiter = null;
        return waiters;
    }

    private bool IsCurrent(in PendingTry pending) =>
        _isLive && Generation == pending.Generation && _tries[pending.Index].IsActive;

    /// <summary>Ends this life, under the lock. The caller tells the waiters and then calls <see cref="Retire"/>.</summary>
    private WaiterNode? Close(out UpstreamTries tries, out int sends)
    {
        _isLive = false;
        table.Wheel.Disarm(this);
        table.Unlist(_key, this);
        (tries, sends) = (_tries, _sends);
        _tries = default;
        // In the pool it would keep upstreams that are asked no more.
        _zone = null!;
        Generation++;
        return TakeWaiters();
    }

    /// <summary>Stops to wait for replies and goes back to the pool. Without the lock: a socket may close here.</summary>
    private void Retire(ref UpstreamTries tries, int sends)
    {
        foreach (ref UpstreamTry t in MemoryMarshal.CreateSpan(ref tries[0], sends)) t.Path?.Remove(t.Id, this);
        table.Return(this);
    }

    private int FindLoop(in ClientAddress client)
    {
        for (int i = 0; i < _sends; i++)
            if (_tries[i].Path is DatagramPort port && port.Local.Equals(client)) return i;
        return -1;
    }
}
