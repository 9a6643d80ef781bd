using System.Buffers;
using System.Collections.Concurrent;

namespace Dns.Forwarding.InFlight;

/// <summary>
/// The questions in flight. Equal ones (view, name, type, class, DO, CD) share one upstream query, which also leaves a
/// forger one chance. Bounded; never waits.
/// </summary>
internal sealed class InFlightTable
{
    /// <summary>The average number of waiters for each question.</summary>
    private const int WaitersPerQuestion = 4;
    private const int MaxLookups = 64;

    /// <summary>One in so many is for proven clients alone: forged addresses, however many, leave it free.</summary>
    private const int ProvenPart = 8;

    private readonly ConcurrentDictionary<QuestionKey, UpstreamQuery> _upstreamQueries = new();
    private readonly CountedPool<UpstreamQuery> _pool;
    private readonly CountedPool<WaiterNode> _nodes;
    private readonly ClientShares _shares;
    private volatile ForwarderOptions _options;
    private int _inFlight;
    private volatile bool _isStopped;

    internal InFlightTable(ForwarderOptions options, UpstreamServices services, AnswerCache cache,
        ForwarderCounters counters)
    {
        _options = options;
        Clock = services.Clock;
        Wheel = services.Wheel;
        Random = services.Random;
        Cache = cache;
        Counters = counters;
        Exceptions = services.Exceptions;
        _shares = new(options);
        _pool = new(() => new UpstreamQuery(this), options.MaxInFlight);
        _nodes = new(static () => new WaiterNode(), MaxWaiters);
        Answers = new(static () => new AcceptedAnswer(), Environment.ProcessorCount * 2);
    }

    internal ForwarderOptions Options => _options;

    internal MonotonicClock Clock { get; }

    internal TimingWheel Wheel { get; }

    internal RandomOctets Random { get; }

    internal AnswerCache Cache { get; }

    internal ForwarderCounters Counters { get; }

    internal IExceptionSink Exceptions { get; }

    /// <summary>Buffers for parsed replies; one for each parsing thread.</summary>
    internal CountedPool<AcceptedAnswer> Answers { get; }

    internal int InFlight => Volatile.Read(ref _inFlight);

    /// <summary>Whether the limit of questions is reached.</summary>
    internal bool IsFull => InFlight >= Options.MaxInFlight;

    /// <summary>Whether a question that no client waits for takes the place of others.</summary>
    internal bool IsCrowded => InFlight > Options.MaxInFlight / 2;

    internal int Waiting => _nodes.Rented;

    /// <summary>Rented objects, shares and entries; 0 when nothing is in flight.</summary>
    internal int Outstanding => _pool.Rented + _nodes.Rented + Answers.Rented + _shares.Total + _upstreamQueries.Count;

    private int MaxWaiters => _options.MaxInFlight * WaitersPerQuestion;

    /// <summary>Changes limits and timeouts for questions to come.</summary>
    internal void Use(ForwarderOptions options)
    {
        _options = options;
        _shares.Use(options);
    }

    /// <summary>Forwards a question, or joins an equal one in flight.</summary>
    /// <param name="limit">The maximum number of upstream queries for this client.</param>
    /// <param name="waited">How long the client has waited, for the names before.</param>
    internal ForwardResult Forward(scoped in Question question, ref ClientAddress client, ZoneUpstreams zone,
        IAnswerWaiter waiter, int limit, TimeSpan waited)
    {
        if (_options.AnswerWithinWhileDown == TimeSpan.Zero && zone.IsDown)
            return ForwardWithoutWaiting(in question, zone, limit);
        bool isProven = waiter.IsProven;
        int room = RoomOf(isProven, MaxWaiters) - _nodes.Rented;
        if (room <= 0) return Refuse(ForwardResult.TableFull);
        if (!_shares.TryTake(ref client, isProven, question.Hash, room, out ClientShare share))
            return Refuse(ForwardResult.ClientLimit);
        WaiterNode node = _nodes.Rent();
        // A datagram is too late by the time of the query; over a stream each name has its time.
        long since = Clock.Now - (isProven ? 0 : waited.Ticks);
        (node.Waiter, node.IsProven, node.Share, node.Since, node.Next) = (waiter, isProven, share, since, null);
        ForwardResult result = Enter(in question, ref client, zone, node, limit);
        if (result != ForwardResult.Joined) Release(node, share);
        return result;
    }

    // Forwards a question for the cache alone, if it is not in flight and the table is not nearly full.
    internal void Refresh(scoped in Question question, ZoneUpstreams zone, int limit)
    {
        if (InFlight >= Options.MaxInFlight / 4 * 3) return;
        ClientAddress noClient = default;
        Enter(in question, ref noClient, zone, null, limit);
    }

    /// <summary>Accepts no more questions and ends those in flight.</summary>
    internal void Stop()
    {
        _isStopped = true;
        foreach ((_, UpstreamQuery upstreamQuery) in _upstreamQueries) upstreamQuery.Abort();
    }

    /// <summary>Completes and returns all waiters of a list.</summary>
    internal void Notify(WaiterNode? waiters, in RelayedAnswer answer, ReadOnlySpan<byte> records,
        ReadOnlySpan<TryReport> tries)
    {
        for (WaiterNode? next; waiters is not null; waiters = next)
        {
            next = waiters.Next;
            IAnswerWaiter waiter = waiters.Waiter;
            Release(waiters, waiters.Share);
            Complete(waiter, in answer, records, tries);
        }
    }

    /// <summary>An exception of one waiter must not cost the others their answer.</summary>
    private void Complete(
        IAnswerWaiter waiter, in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries)
    {
        try
        {
            waiter.Complete(in answer, records, tries);
        }
        catch (Exception error)
        {
            Exceptions.Report(OutgoingLoops.DeferredReply, error, records);
        }
    }

    internal void Unlist(QuestionKey key, UpstreamQuery upstreamQuery) =>
        _upstreamQueries.TryRemove(new(key, upstreamQuery));

    /// <summary>Returns an ended upstream query that nothing references.</summary>
    internal void Return(UpstreamQuery upstreamQuery)
    {
        _pool.Return(upstreamQuery);
        Interlocked.Decrement(ref _inFlight);
    }

    /// <summary>A buffer for the records of the largest answer.</summary>
    internal byte[] RentRecords() => ArrayPool<byte>.Shared.Rent(ushort.MaxValue);

    internal void ReturnRecords(byte[] records) => ArrayPool<byte>.Shared.Return(records);

    // While all upstreams are down no client waits; a few questions are sent, so that recovery is noticed.
    private ForwardResult ForwardWithoutWaiting(scoped in Question question, ZoneUpstreams zone, int limit)
    {
        if (zone.HasRoom) Refresh(in question, zone, limit);
        return Refuse(ForwardResult.Unreachable);
    }

    private ForwardResult Enter(
        scoped in Question question, ref ClientAddress client, ZoneUpstreams zone, WaiterNode? node, int limit)
    {
        QuestionKey key = new(question.Hash);
        // An upstream query may end between lookup and join; then there is another one, or none. Every retry means that
        // another thread made progress, so only a bug reaches the bound.
        for (int lookUp = 0; lookUp < MaxLookups && !_isStopped; lookUp++)
        {
            if (!_upstreamQueries.TryGetValue(key, out UpstreamQuery? upstreamQuery))
            {
                ForwardResult result = Begin(in question, key, zone, node, limit, out bool isLost);
                if (!isLost) return result;
                continue;
            }
            switch (upstreamQuery.Join(in question, ref client, node, limit))
            {
                case UpstreamQuery.Joining.Joined:
                    if (node is not null) Counters.CountJoined();
                    return ForwardResult.Joined;
                case UpstreamQuery.Joining.Loop:
                    return ForwardResult.Loop;
                case UpstreamQuery.Joining.Other:
                    key = key.Next;
                    if (!key.IsMadeOf(question.Hash)) return ForwardResult.TableFull;
                    break;
            }
        }
        return ForwardResult.TableFull;
    }

    /// <param name="key">A key without an entry.</param>
    /// <param name="isLost">Whether another thread began the same question meanwhile.</param>
    private ForwardResult Begin(
        scoped in Question question, QuestionKey key, ZoneUpstreams zone, WaiterNode? node, int limit, out bool isLost)
    {
        isLost = false;
        if (!zone.HasRoom) return node is null ? ForwardResult.Unreachable : Refuse(ForwardResult.Unreachable);
        int most = RoomOf(node is null || node.IsProven, Options.MaxInFlight);
        int room = most - Interlocked.Increment(ref _inFlight) + 1;
        if (room <= 0 || node is not null && _shares.IsAbove(node.Share, room))
        {
            Interlocked.Decrement(ref _inFlight);
            return Refuse(room <= 0 ? ForwardResult.TableFull : ForwardResult.ClientLimit);
        }
        UpstreamQuery upstreamQuery = _pool.Rent();
        upstreamQuery.Open(in question, key, zone, node, limit);
        int generation = upstreamQuery.Generation;
        if (_upstreamQueries.TryAdd(key, upstreamQuery))
        {
            Counters.CountQueried();
            Start(upstreamQuery, generation);
            // A concurrent stop may have enumerated the table just before.
            if (_isStopped) upstreamQuery.Abort();
            return ForwardResult.Joined;
        }
        upstreamQuery.Withdraw();
        Return(upstreamQuery);
        isLost = true;
        return default;
    }

    /// <summary>From here on the query waits: exceptions are reported, and the deadline ends it.</summary>
    private void Start(UpstreamQuery upstreamQuery, int generation)
    {
        try
        {
            upstreamQuery.Start(generation);
        }
        catch (Exception error)
        {
            Exceptions.Report(OutgoingLoops.UpstreamQuery, error, default);
        }
    }

    private static int RoomOf(bool isProven, int all) => isProven ? all : all - all / ProvenPart;

    private ForwardResult Refuse(ForwardResult why)
    {
        Counters.CountTurnedAway(why);
        return why;
    }

    private void Release(WaiterNode node, ClientShare share)
    {
        node.Waiter = null!;
        node.Next = null;
        _nodes.Return(node);
        _shares.Return(share);
    }
}
