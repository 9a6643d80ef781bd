namespace Dns.Answering.RateLimiting;

/// <summary>Response rate limiting (RRL) of one reply.</summary>
internal static class ReplyLimit
{
    /// <summary>
    /// Applies the rate limit to an answer. Exempt are reliable transports and valid cookies, since their source
    /// address is proven, and clients with recursion, since the operator has listed their networks.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ReplyOutcome Apply(scoped ref QueryContext context, ReplyOutcome reply, bool isRead) =>
        context.Options.RateLimiter is not { } limiter || !reply.IsReply || context.Transport.IsReliable
            || context.Query.Edns.HasValidCookie || isRead && context.Query.Offered != 0
            ? reply : LimitForgeable(limiter, ref context, reply, isRead);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ReplyOutcome LimitForgeable(
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
    private static ReplyOutcome WriteSlipped(scoped ref QueryContext context)
    {
        context.Query.Edns.Requested &= EdnsRequests.Cookie;
        context.Limit = ResponderOptions.MinUdpPayload;
        context.Zone = null;
        context.Error = null;
        return ReplyEnd.FinishTruncated(ref context);
    }
}
