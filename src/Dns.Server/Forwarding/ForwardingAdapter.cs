using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Transport;
using Microsoft.Extensions.ObjectPool;

namespace Dns.Server;

/// <summary>
/// Joins the transports to the responder where others are asked too: a query that has to wait keeps its reply path, and is
/// answered by the same responder when the answer is there.
/// </summary>
internal sealed class ForwardingAdapter : IMessageResponder
{
    private const int KeptWaiting = 4096;

    private readonly LiveResponder _responder;
    private readonly ObjectPool<WaitingQuery> _waiting;

    /// <summary>Joins them.</summary>
    /// <param name="responder">What answers.</param>
    /// <param name="forwarder">What asks others.</param>
    /// <param name="watch">Times deferred replies; null = off.</param>
    /// <param name="clock">Measures how long queries wait; null = the system's.</param>
    public ForwardingAdapter(LiveResponder responder, Forwarder forwarder, AnswerTimes? watch, TimeProvider? clock = null)
    {
        Clock = clock ?? TimeProvider.System;
        _responder = responder;
        Watch = watch;
        Forwarder = forwarder;
        _waiting = new DefaultObjectPool<WaitingQuery>(new WaitingPolicy(this), KeptWaiting);
    }

    /// <summary>What answers at this moment.</summary>
    public Responder Responder => _responder.Current;

    /// <summary>What asks others.</summary>
    public Forwarder Forwarder { get; }

    /// <summary>Times deferred replies; null = off.</summary>
    public AnswerTimes? Watch { get; }

    /// <summary>Reports how long a query has waited.</summary>
    public TimeProvider Clock { get; }

    /// <summary>Bounds what queries keep while they wait.</summary>
    internal PartMemory Parts { get; init; } = new(PartMemory.AffordableBytes);

    /// <summary>The extended error of a question that cannot be forwarded.</summary>
    internal static ExtendedErrorCode ReasonOf(AskResult result) => result switch
    {
        AskResult.NotForwarded => ExtendedErrorCode.NotSupported,
        AskResult.ClientLimit => ExtendedErrorCode.Prohibited,
        AskResult.Unreachable => ExtendedErrorCode.NoReachableAuthority,
        _ => ExtendedErrorCode.Other,
    };

    /// <inheritdoc/>
    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        ForwarderSource source = new(this, batch.Now);
        Responder.RespondToBatch(in batch, paths, ref source);
    }

    /// <inheritdoc/>
    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
    {
        ForwarderSource source = new(this, origin.Now);
        return Math.Max(0, Responder.Respond(message, queryOctets, ref origin, paths, ref source));
    }

    /// <summary>Has a question asked for a query, which is kept if others have to be waited for.</summary>
    /// <param name="question">What is asked.</param>
    /// <param name="query">The query, with its reply path.</param>
    /// <param name="spent">Queries sent to upstreams for it so far.</param>
    internal AskResult Ask(scoped in Question question, in DeferredQuery query, int spent)
    {
        WaitingQuery waiting = _waiting.Get();
        waiting.Prepare(in query, in question, spent);
        ClientAddress client = query.Origin.Client;
        AskResult result = Forwarder.Ask(in question, ref client, waiting, spent);
        if (result != AskResult.Joined) Return(waiting);
        return result;
    }

    /// <summary>Takes back what waited.</summary>
    internal void Return(WaitingQuery waiting) => _waiting.Return(waiting);

    private sealed class WaitingPolicy(ForwardingAdapter adapter) : PooledObjectPolicy<WaitingQuery>
    {
        public override WaitingQuery Create() => new(adapter);

        public override bool Return(WaitingQuery waiting)
        {
            waiting.Clear();
            return true;
        }
    }
}
