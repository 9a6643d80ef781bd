namespace Dns.Answering;

/// <content>Response rate limiting (RRL).</content>
public sealed partial class Responder
{
    /// <summary>
    /// Applies the rate limit to an answer. Exempt are reliable transports and valid cookies, since their source
    /// address is proven, and clients with recursion, since the operator has listed their networks.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReplyOutcome Limit(scoped ref QueryContext context, ReplyOutcome reply, bool isRead) =>
        _options.RateLimiter is not { } limiter || reply.Octets == 0 || context.Transport.IsReliable
            || context.Query.Edns.HasValidCookie || isRead && context.Query.Offered != 0
            ? reply : LimitForgeable(limiter, ref context, reply, isRead);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome LimitForgeable(
        RateLimiter limiter, scoped ref QueryContext context, ReplyOutcome reply, bool isRead)
    {
        ref Query query = ref context.Query;
        if (!isRead && IsAcceptedNotify(ref context)) return reply;
        AnswerKind kind = isRead ? AnswerCounts.KindOf(ref context) : AnswerKind.Malformed;
        ulong name = !isRead ? 0 : query.LimitSkip == 0 ? query.Name.Hash : query.Name.SuffixHash(query.LimitSkip);
        return limiter.Check(kind, name, ref context.Client, context.Worker.Shard) switch
        {
            RateLimitVerdict.Passed or RateLimitVerdict.Counted => reply,
            RateLimitVerdict.Slipped when isRead => WriteSlipped(ref context),
            _ => ReplyOutcome.None,
        };
    }

    /// <summary>
    /// Whether it is the answer to a NOTIFY that is acted upon, no longer than that: junk from the network of a primary
    /// must not cost its answers.
    /// </summary>
    private static bool IsAcceptedNotify(scoped ref QueryContext context) => context.Query.Rcode == Rcode.NoError
        && MessageHeader.OpcodeOf(MessageHeader.Flags(context.Message)) == Opcode.Notify;

    /// <summary>
    /// Writes header, question and OPT with TC, no longer than the query: a client with this address retries over TCP.
    /// </summary>
    private ReplyOutcome WriteSlipped(scoped ref QueryContext context)
    {
        context.Query.Edns.Requested &= EdnsRequests.Cookie;
        context.Limit = ResponderOptions.MinUdpPayload;
        context.Zone = null;
        context.Error = null;
        return FinishTruncated(ref context);
    }

    /// <summary>TC without records: a client with this address retries over TCP, which proves it.</summary>
    private ReplyOutcome FinishTruncated(scoped ref QueryContext context) => ReplyOutcome.Of(
        Finish(ref context, context.Query.QuestionEnd, Rcode.NoError, MessageHeader.Truncated, default));
}
