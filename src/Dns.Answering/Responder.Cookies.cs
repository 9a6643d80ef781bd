using Dns.Protocol;

namespace Dns.Answering;

/// <content>Cookies (RFC 7873).</content>
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
        Outcome outcome = new(Rcode.FormErr, ResponseTransport.Datagram);
        return Finish(message, query.QuestionEnd, ResponderOptions.MinUdpPayload, in query, in outcome);
    }

    /// <summary>What cannot be read as a query is malformed, unless it has no question and wants a cookie alone.</summary>
    private int AnswerUnreadable(
        Span<byte> message, int queryOctets, ushort flags, ref ClientAddress client, ref Query query)
    {
        if (_options.Cookies is null || !query.TryReadWithoutQuestion(message, queryOctets)
            || !TryExchangeCookie(ref query.Edns, ref client))
            return WriteHeaderOnly(message, flags, Rcode.FormErr);
        Counters.Current.Count(query.Edns.Cookie.State);
        query.Edns.Asked &= EdnsAsked.Cookie;
        Rcode rcode = query.Edns.Version > 0 ? Rcode.BadVers : Rcode.NoError;
        Outcome outcome = new(rcode, ResponseTransport.Datagram);
        return Finish(message, query.QuestionEnd, ResponderOptions.MinUdpPayload, in query, in outcome);
    }
}
