using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <content>Cookies (RFC 7873), and messages that are no queries but may have an OPT.</content>
public sealed partial class Responder
{
    /// <summary>Takes up the cookie of a query. Version 1 of EDNS and later may mean something else by it.</summary>
    /// <returns>False if the option is malformed.</returns>
    private bool TryExchangeCookie(ref EdnsQuery edns, ref ClientAddress client)
    {
        if (_options.Cookies is not { } cookies || edns.Version > 0)
        {
            edns.Cookie.State = CookieState.None;
            return true;
        }
        if (edns.Cookie.State == CookieState.Malformed)
        {
            Counters.Current.Count(CookieState.Malformed);
            return false;
        }
        cookies.Exchange(ref edns.Cookie, ref client);
        edns.Asked |= EdnsAsked.Cookie;
        return true;
    }

    /// <summary>With OPT, as to every query that has one: FORMERR without it would say that EDNS is unknown here (RFC 6891 §7).</summary>
    private int RefuseCookie(Span<byte> message, ref Query query)
    {
        query.Edns.Asked = EdnsAsked.None;
        Outcome outcome = new(Rcode.FormErr, DnsTransport.Udp);
        return Finish(message, query.QuestionEnd, ResponderOptions.MinUdpPayload, in query, in outcome);
    }

    /// <summary>
    /// What cannot be read as a query is malformed, unless it has no question and wants a cookie alone (RFC 7873 §5.4).
    /// </summary>
    private int AnswerUnreadable(
        Span<byte> message, int queryOctets, ushort flags, ref ClientAddress client, ref Query query)
    {
        if (MessageHeader.Count(message, 0) != 0 || !query.TryReadRecordsOnly(message, queryOctets)
            || !query.Edns.IsPresent || query.TsigAt != 0)
            return WriteHeaderOnly(message, flags, Rcode.FormErr);
        query.Flags = flags;
        bool hasCookie = _options.Cookies is not null && query.Edns.Cookie.State != CookieState.None
            && TryExchangeCookie(ref query.Edns, ref client);
        if (hasCookie) Counters.Current.Count(query.Edns.Cookie.State);
        query.Edns.Asked &= EdnsAsked.Cookie;
        return FinishWithoutQuestion(message, in query, hasCookie ? Rcode.NoError : Rcode.FormErr);
    }

    /// <summary>Other operations than queries, whose only known part is the OPT: the reply has one too (RFC 6891 §6.1.1).</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int RefuseOpcode(Span<byte> message, int queryOctets, ushort flags)
    {
        Unsafe.SkipInit(out Query query);
        if (queryOctets > message.Length || !query.TryReadRecordsOnly(message, queryOctets) || !query.Edns.IsPresent)
            return WriteHeaderOnly(message, flags, Rcode.NotImp);
        query.Flags = (ushort)(flags & MessageHeader.OpcodeMask);
        query.Edns.Asked = EdnsAsked.None;
        return FinishWithoutQuestion(message, in query, Rcode.NotImp);
    }

    private int FinishWithoutQuestion(Span<byte> message, in Query query, Rcode rcode)
    {
        MessageHeader.SetCount(message, 0, 0);
        Outcome outcome = new(query.Edns.Version > 0 ? Rcode.BadVers : rcode, DnsTransport.Udp);
        return Finish(message, query.QuestionEnd, ResponderOptions.MinUdpPayload, in query, in outcome);
    }
}
