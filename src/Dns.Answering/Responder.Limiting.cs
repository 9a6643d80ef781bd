using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <content>The rate of answers to clients whose address may be forged.</content>
public sealed partial class Responder
{
    /// <summary>
    /// Lets an answer pass, or not. Streams and valid cookies pass: nobody sends one from an address that is not his. So do
    /// those that may ask for what others serve: the operator knows their networks.
    /// </summary>
    /// <returns>The length of what goes back; 0 for nothing.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Limit(
        Span<byte> message, int length, DnsTransport transport, bool isRead, ref Query query, ref ClientAddress client)
    {
        if (_options.RateLimiter is not { } limiter || length <= 0 || transport.IsReliable
            || query.Edns.HasValidCookie || isRead && query.Offered != 0)
            return length;
        return LimitForgeable(limiter, message, length, isRead, ref query, ref client);
    }

    private int LimitForgeable(
        RateLimiter limiter, Span<byte> message, int length, bool isRead, ref Query query, ref ClientAddress client)
    {
        AnswerKind kind = isRead
            ? AnswerTally.KindOf(message, MessageHeader.Flags(message), query.IsRelayed) : AnswerKind.Malformed;
        ulong name = isRead ? query.Name.SuffixHash(query.LimitSkip) : 0;
        return limiter.Judge(kind, name, ref client) switch
        {
            RateLimitVerdict.Passed or RateLimitVerdict.Counted => length,
            RateLimitVerdict.Slipped when isRead => WriteSlipped(message, ref query),
            _ => 0,
        };
    }

    /// <summary>Header, question and OPT with TC: a real client comes back over TCP, and the answer is no longer than its query.</summary>
    private int WriteSlipped(Span<byte> message, ref Query query)
    {
        query.Edns.Asked &= EdnsAsked.Cookie;
        MessageHeader.SetCount(message, 0, 1);
        Outcome outcome = new(Rcode.NoError, DnsTransport.Udp) { Flags = MessageHeader.Truncated };
        return Finish(message, query.QuestionEnd, ResponderOptions.MinUdpPayload, in query, in outcome);
    }
}
