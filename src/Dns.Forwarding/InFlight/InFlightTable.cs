using System.Buffers;
using System.Collections.Concurrent;
using Dns.Protocol;
using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>
/// Questions on their way. Equal ones (name, type, class, DO and CD) wait for one answer: a thousand clients that ask the same
/// cost the upstream one query, and a forger one chance. Bounded; who asks never waits here.
/// </summary>
internal sealed class InFlightTable
{
    /// <summary>Waiters for each question that may be on its way, on average.</summary>
    private const int WaitersPerQuestion = 4;
    private const int LookUps = 64;

    private readonly ConcurrentDictionary<QuestionKey, UpstreamQuery> _upstreamQueries = new();
    private readonly CountedPool<UpstreamQuery> _pool;
    private readonly CountedPool<WaiterNode> _nodes;
    private readonly ClientShares _shares;
    private volatile ForwarderOptions _options;
    private int _inFlight;
    private volatile bool _isStopped;

    internal InFlightTable(ForwarderOptions options, UpstreamServices services, AnswerCache cache, ForwarderCounters counters)
    {
        _options = options;
        Clock = services.Clock;
        Wheel = services.Wheel;
        Random = services.Random;
        Cache = cache;
        Counters = counters;
        Exceptions = services.Exceptions;
        _shares = new(options.MaxInFlightPerClient);
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

    /// <summary>Room for what replies say; one for each thread that reads one.</summary>
    internal CountedPool<AcceptedAnswer> Answers { get; }

    /// <summary>Questions on their way.</summary>
    internal int InFlight => Volatile.Read(ref _inFlight);

    /// <summary>Whether no more questions are taken.</summary>
    internal bool IsFull => InFlight >= Options.MaxInFlight;

    /// <summary>Those who wait.</summary>
    internal int Waiting => _nodes.Rented;

    /// <summary>Objects that are out of their pools, shares taken and entries listed: 0 when nothing is on its way.</summary>
    internal int LeftBehind => _pool.Rented + _nodes.Rented + Answers.Rented + _shares.Total + _upstreamQueries.Count;

    private int MaxWaiters => _options.MaxInFlight * WaitersPerQuestion;

    /// <summary>Goes on with other limits and times, for questions to come.</summary>
    internal void Use(ForwarderOptions options)
    {
        _options = options;
        _shares.Limit = options.MaxInFlightPerClient;
    }

    /// <summary>Has a question asked, or joins those who wait for its answer.</summary>
    /// <param name="question">The question.</param>
    /// <param name="client">Who asks.</param>
    /// <param name="zone">Whom to ask.</param>
    /// <param name="waiter">Who is told.</param>
    /// <param name="limit">How many queries may be sent for this client.</param>
    internal AskResult Ask(
        scoped in Question question, ref ClientAddress client, ZoneUpstreams zone, IAnswerWaiter waiter, int limit)
    {
        if (_options.AnswerWithinWhileDown == TimeSpan.Zero && zone.IsDown) return AskWithoutWaiting(in question, zone, limit);
        int room = MaxWaiters - _nodes.Rented;
        if (room <= 0) return TurnAway(AskResult.TableFull);
        if (!_shares.TryTake(ref client, question.Hash, room, out ClientShare share)) return TurnAway(AskResult.ClientLimit);
        WaiterNode node = _nodes.Rent();
        (node.Waiter, node.Share, node.Since, node.Next) = (waiter, share, Clock.Now, null);
        AskResult result = Enter(in question, ref client, zone, node, limit);
        if (result != AskResult.Joined) Release(node, share);
        return result;
    }

    /// <summary>Has a question asked for the cache alone, if it is not on its way and the table is not close to full.</summary>
    internal void Refresh(scoped in Question question, ZoneUpstreams zone, int limit)
    {
        if (InFlight >= Options.MaxInFlight / 4 * 3) return;
        ClientAddress nobody = default;
        Enter(in question, ref nobody, zone, null, limit);
    }

    /// <summary>Takes no more questions and ends those on their way.</summary>
    internal void Stop()
    {
        _isStopped = true;
        foreach ((_, UpstreamQuery upstreamQuery) in _upstreamQueries) upstreamQuery.Abort();
    }

    /// <summary>Tells all waiters of a list, which then are no more.</summary>
    internal void Tell(WaiterNode? waiters, in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries)
    {
        for (WaiterNode? next; waiters is not null; waiters = next)
        {
            next = waiters.Next;
            IAnswerWaiter waiter = waiters.Waiter;
            Release(waiters, waiters.Share);
            Complete(waiter, in answer, records, tries);
        }
    }

    /// <summary>One waiter that throws must not cost the others their answer.</summary>
    private void Complete(
        IAnswerWaiter waiter, in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries)
    {
        try
        {
            waiter.Complete(in answer, records, tries);
        }
        catch (Exception error)
        {
            Exceptions.Report(ServerLoop.DeferredReply, error, records);
        }
    }

    /// <summary>Takes an upstream query that has ended out of the table.</summary>
    internal void Unlist(QuestionKey key, UpstreamQuery upstreamQuery) => _upstreamQueries.TryRemove(new(key, upstreamQuery));

    /// <summary>Takes back an upstream query that has ended and that nothing leads to any more.</summary>
    internal void Return(UpstreamQuery upstreamQuery)
    {
        _pool.Return(upstreamQuery);
        Interlocked.Decrement(ref _inFlight);
    }

    /// <summary>Room for the records of the largest answer.</summary>
    internal byte[] RentRecords() => ArrayPool<byte>.Shared.Rent(ushort.MaxValue);

    internal void ReturnRecords(byte[] records) => ArrayPool<byte>.Shared.Return(records);

    /// <summary>While all upstreams are down nobody waits for them; a few questions are asked, so that a return is noticed.</summary>
    private AskResult AskWithoutWaiting(scoped in Question question, ZoneUpstreams zone, int limit)
    {
        if (zone.HasRoom) Refresh(in question, zone, limit);
        return TurnAway(AskResult.Unreachable);
    }

    private AskResult Enter(
        scoped in Question question, ref ClientAddress client, ZoneUpstreams zone, WaiterNode? node, int limit)
    {
        QuestionKey key = new(question.Hash);
        // An upstream query that is found may end before it is joined; then there is another one, or none. Every lookup after the
        // first means that somebody else got on, so the bound is never met but by a defect.
        for (int lookUp = 0; lookUp < LookUps && !_isStopped; lookUp++)
        {
            if (!_upstreamQueries.TryGetValue(key, out UpstreamQuery? upstreamQuery))
            {
                AskResult result = Begin(in question, key, zone, node, limit, out bool isLost);
                if (!isLost) return result;
                continue;
            }
            switch (upstreamQuery.Join(in question, ref client, node, limit))
            {
                case UpstreamQuery.Joining.Joined:
                    if (node is not null) Counters.CountJoined();
                    return AskResult.Joined;
                case UpstreamQuery.Joining.Loop:
                    return AskResult.Loop;
                case UpstreamQuery.Joining.Other:
                    key = key.Next;
                    if (!key.IsMadeOf(question.Hash)) return AskResult.TableFull;
                    break;
            }
        }
        return AskResult.TableFull;
    }

    /// <param name="question">The question.</param>
    /// <param name="key">The key that nothing was found by.</param>
    /// <param name="zone">Whom to ask.</param>
    /// <param name="node">Who waits.</param>
    /// <param name="limit">How many queries may be sent.</param>
    /// <param name="isLost">Whether somebody else began the same meanwhile.</param>
    private AskResult Begin(
        scoped in Question question, QuestionKey key, ZoneUpstreams zone, WaiterNode? node, int limit, out bool isLost)
    {
        isLost = false;
        if (!zone.HasRoom) return node is null ? AskResult.Unreachable : TurnAway(AskResult.Unreachable);
        int room = Options.MaxInFlight - Interlocked.Increment(ref _inFlight) + 1;
        if (room <= 0 || node is not null && _shares.IsAbove(node.Share, room))
        {
            Interlocked.Decrement(ref _inFlight);
            return TurnAway(room <= 0 ? AskResult.TableFull : AskResult.ClientLimit);
        }
        UpstreamQuery upstreamQuery = _pool.Rent();
        upstreamQuery.Open(in question, key, zone, node, limit);
        int generation = upstreamQuery.Generation;
        if (_upstreamQueries.TryAdd(key, upstreamQuery))
        {
            Counters.CountAsked();
            Start(upstreamQuery, generation);
            // Stopping may have looked through the table just before.
            if (_isStopped) upstreamQuery.Abort();
            return AskResult.Joined;
        }
        upstreamQuery.Withdraw();
        Return(upstreamQuery);
        isLost = true;
        return default;
    }

    /// <summary>The caller's query waits from now on: an exception is none of its own, and the deadline ends the question.</summary>
    private void Start(UpstreamQuery upstreamQuery, int generation)
    {
        try
        {
            upstreamQuery.Start(generation);
        }
        catch (Exception error)
        {
            Exceptions.Report(ServerLoop.UpstreamQuery, error, default);
        }
    }

    private AskResult TurnAway(AskResult why)
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
