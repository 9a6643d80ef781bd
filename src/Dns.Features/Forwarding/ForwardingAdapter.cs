using Microsoft.Extensions.ObjectPool;

namespace Dns.Features.Forwarding;

/// <summary>
/// Connects transports, responder and forwarder: a deferred query keeps its reply path, and the same responder resumes
/// it when the answer arrives.
/// </summary>
public class ForwardingAdapter : IMessageResponder
{
    private const int KeptWaiting = 4096;

    private readonly LiveResponder _responder;
    private readonly ObjectPool<WaitingQuery> _waiting;

    /// <param name="clock">Measures the wait of queries; null = the system's.</param>
    public ForwardingAdapter(LiveResponder responder, Forwarder forwarder, AnswerTimes? answerTimes,
        TimeProvider? clock = null)
    {
        Clock = clock ?? TimeProvider.System;
        _responder = responder;
        AnswerTimes = answerTimes;
        Forwarder = forwarder;
        _waiting = new DefaultObjectPool<WaitingQuery>(new WaitingPolicy(this), KeptWaiting);
    }

    public Responder Responder => _responder.Current;

    public Forwarder Forwarder { get; }

    /// <summary>Times deferred replies; null = off.</summary>
    public AnswerTimes? AnswerTimes { get; }

    /// <summary>Reports the wait of a query.</summary>
    public TimeProvider Clock { get; }

    /// <summary>Bounds the memory of waiting queries.</summary>
    internal PartMemory Parts { get; init; } = new(PartMemory.AffordableBytes);

    /// <summary>What a client gets whose question cannot be forwarded.</summary>
    /// <param name="isProven">Whether the client's address is proven.</param>
    internal static DeferralRefusal RefusalOf(ForwardResult result, bool isProven) => result switch
    {
        ForwardResult.NotForwarded => new(ExtendedErrorCode.NotSupported),
        ForwardResult.ClientLimit => new(ExtendedErrorCode.Prohibited, WantsProof: !isProven),
        ForwardResult.Unreachable => new(ExtendedErrorCode.NoReachableAuthority),
        ForwardResult.TableFull => new(ExtendedErrorCode.Other, WantsProof: !isProven),
        _ => new(ExtendedErrorCode.Other),
    };

    public virtual void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths)
    {
        ForwarderSource source = new(this, batch.Now);
        Responder.RespondToBatch(in batch, paths, ref source);
    }

    public virtual int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths)
    {
        ForwarderSource source = new(this, origin.Now);
        return Responder.Respond(message, queryOctets, ref origin, paths, ref source).Octets;
    }

    /// <summary>Makes the reply to a deferred query.</summary>
    internal virtual ReplyOutcome Resume(Span<byte> room, in DeferredQuery query, ref CompletedSource source) =>
        Responder.Resume(room, in query, ref source);

    /// <summary>Resolves a question for a query, which is deferred unless the answer is cached.</summary>
    /// <param name="spent">Upstream queries sent for it so far.</param>
    internal ForwardResult Forward(scoped in Question question, in DeferredQuery query, int spent)
    {
        WaitingQuery waiting = _waiting.Get();
        waiting.Prepare(in query, in question, spent);
        ClientAddress client = query.Origin.Client;
        ForwardResult result = Forwarder.Forward(in question, ref client, waiting, spent);
        if (result != ForwardResult.Joined) Return(waiting);
        return result;
    }

    /// <summary>Returns a deferred query to the pool.</summary>
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
