using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <content>The rate of answers to clients whose address may be forged.</content>
public sealed partial class Responder
{
    /// <summary>
    /// Lets an answer pass, or not. Reliable transports and valid cookies pass: nobody sends one from an address that is not his.
    /// So do those that may ask for what others serve: the operator knows their networks.
    /// </summary>
    /// <returns>The length of what goes back; 0 for nothing.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Limit(scoped ref QueryContext context, int length, bool isRead) =>
        _options.RateLimiter is not { } limiter || length <= 0 || context.Transport.IsReliable
            || context.Query.Edns.HasValidCookie || isRead && context.Query.Offered != 0
            ? length : LimitForgeable(limiter, ref context, length, isRead);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int LimitForgeable(RateLimiter limiter, scoped ref QueryContext context, int length, bool isRead)
    {
        ref Query query = ref context.Query;
        AnswerKind kind = isRead ? AnswerTally.KindOf(ref context) : AnswerKind.Malformed;
        ulong name = !isRead ? 0 : query.LimitSkip == 0 ? query.Name.Hash : query.Name.SuffixHash(query.LimitSkip);
        return limiter.Judge(kind, name, ref context.Client, context.Worker.Stripe) switch
        {
            RateLimitVerdict.Passed or RateLimitVerdict.Counted => length,
            RateLimitVerdict.Slipped when isRead => WriteSlipped(ref context),
            _ => 0,
        };
    }

    /// <summary>
    /// Header, question and OPT with TC: a real client comes back over TCP, and the answer is no longer than its query.
    /// </summary>
    private int WriteSlipped(scoped ref QueryContext context)
    {
        context.Query.Edns.Asked &= EdnsAsked.Cookie;
        context.Limit = ResponderOptions.MinUdpPayload;
        context.Zone = null;
        context.Error = null;
        return Finish(ref context, context.Query.QuestionEnd, Rcode.NoError, MessageHeader.Truncated, default);
    }
}
