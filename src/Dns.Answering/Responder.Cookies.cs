namespace Dns.Answering;

/// <content>Cookies (RFC 7873), and messages other than queries that may carry OPT.</content>
public sealed partial class Responder
{
    /// <summary>Checks and renews a query's cookie; EDNS versions above 0 may define the option differently.</summary>
    /// <returns>False if the option is malformed.</returns>
    private bool TryVerifyCookie(scoped ref QueryContext context)
    {
        ref EdnsQuery edns = ref context.Query.Edns;
        if (_options.Cookies is not { } cookies || edns.Version > 0)
        {
            edns.Cookie.State = CookieState.None;
            return true;
        }
        if (edns.Cookie.State == CookieState.Malformed)
        {
            context.Counts.Count(CookieState.Malformed);
            return false;
        }
        cookies.Verify(ref edns.Cookie, ref context.Client);
        edns.Requested |= EdnsRequests.Cookie;
        context.Query.FindSpecial();
        return true;
    }

    /// <summary>Replies with OPT, since FORMERR without OPT means that EDNS is not supported (RFC 6891 §7).</summary>
    private ReplyOutcome RefuseCookie(scoped ref QueryContext context)
    {
        context.Query.Edns.Requested = EdnsRequests.None;
        context.Limit = ResponderOptions.MinUdpPayload;
        return ReplyOutcome.Of(FinishEmpty(ref context, Rcode.FormErr));
    }

    /// <summary>
    /// Answers a message that is no valid query: FORMERR, unless it has no question but a cookie (RFC 7873 §5.4).
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReplyOutcome AnswerUnreadable(scoped ref QueryContext context, int queryOctets)
    {
        if (IsOfGenerator(ref context)) return ReplyOutcome.None;
        ref Query query = ref context.Query;
        if (MessageHeader.Count(context.Message, 0) != 0 || !query.TryReadRecordsOnly(context.Message, queryOctets)
            || !query.Edns.IsPresent || query.TsigAt != 0)
            return WriteHeaderOnly(ref context, Rcode.FormErr);
        query.Flags = MessageHeader.Flags(context.Message);
        bool hasCookie = _options.Cookies is not null && query.Edns.Cookie.State != CookieState.None
            && TryVerifyCookie(ref context);
        if (hasCookie) context.Counts.Count(query.Edns.Cookie.State);
        query.Edns.Requested &= EdnsRequests.Cookie;
        return FinishWithoutQuestion(ref context, hasCookie ? Rcode.NoError : Rcode.FormErr);
    }

    /// <summary>Answers opcodes other than QUERY. The reply has OPT if the message does (RFC 6891 §6.1.1).</summary>
    private ReplyOutcome RefuseOpcode(scoped ref QueryContext context, int queryOctets)
    {
        ref Query query = ref context.Query;
        ushort flags = MessageHeader.Flags(context.Message);
        if (queryOctets > context.Message.Length || !query.TryReadRecordsOnly(context.Message, queryOctets)
            || !query.Edns.IsPresent)
            return WriteHeaderOnly(ref context, Rcode.NotImp);
        query.Flags = (ushort)(flags & MessageHeader.OpcodeMask);
        query.Edns.Requested = EdnsRequests.None;
        return FinishWithoutQuestion(ref context, Rcode.NotImp);
    }

    private ReplyOutcome FinishWithoutQuestion(scoped ref QueryContext context, Rcode rcode)
    {
        context.Limit = ResponderOptions.MinUdpPayload;
        int length = FinishEmpty(ref context, context.Query.Edns.Version > 0 ? Rcode.BadVers : rcode);
        MessageHeader.SetCount(context.Message, 0, 0);
        return ReplyOutcome.Of(length);
    }
}
