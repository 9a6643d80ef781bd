namespace Dns.Answering.Handling;

/// <summary>Replies to messages that are no valid queries and have no handler.</summary>
internal static class UnhandledMessages
{
    /// <summary>
    /// Answers a message that is no valid query: FORMERR, unless it has no question but a cookie (RFC 7873 §5.4).
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome AnswerUnreadable(scoped ref QueryContext context, int queryOctets)
    {
        if (IsOfGenerator(ref context)) return ReplyOutcome.None;
        ref Query query = ref context.Query;
        if (MessageHeader.Count(context.Message, 0) != 0 || !query.TryReadRecordsOnly(context.Message, queryOctets)
            || !query.Edns.IsPresent || query.TsigAt != 0)
            return WriteHeader(ref context, Rcode.FormErr);
        query.Flags = MessageHeader.Flags(context.Message);
        bool hasCookie = context.Options.Cookies is not null && query.Edns.Cookie.State != CookieState.None
            && QueryCookie.TryVerify(ref context);
        if (hasCookie) context.Counts.Count(query.Edns.Cookie.State);
        query.Edns.Requested &= EdnsRequests.Cookie;
        return FinishWithoutQuestion(ref context, hasCookie ? Rcode.NoError : Rcode.FormErr);
    }

    /// <summary>Answers opcodes other than QUERY. The reply has OPT if the message does (RFC 6891 §6.1.1).</summary>
    internal static ReplyOutcome RefuseOpcode(scoped ref QueryContext context, int queryOctets)
    {
        ref Query query = ref context.Query;
        ushort flags = MessageHeader.Flags(context.Message);
        if (queryOctets > context.Message.Length || !query.TryReadRecordsOnly(context.Message, queryOctets)
            || !query.Edns.IsPresent)
            return WriteHeader(ref context, Rcode.NotImp);
        query.Flags = (ushort)(flags & MessageHeader.OpcodeMask);
        query.Edns.Requested = EdnsRequests.None;
        return FinishWithoutQuestion(ref context, Rcode.NotImp);
    }

    private static ReplyOutcome FinishWithoutQuestion(scoped ref QueryContext context, Rcode rcode)
    {
        context.Limit = ResponderOptions.MinUdpPayload;
        ReplyOutcome reply = ReplyEnd.FinishEmpty(ref context, context.Query.Edns.Version > 0 ? Rcode.BadVers : rcode);
        MessageHeader.SetCount(context.Message, 0, 0);
        return reply;
    }

    /// <summary>
    /// Whether a datagram comes from echo, daytime, qotd, chargen or time, which answer whatever they get, with what is
    /// no query (CVE-2024-2169).
    /// </summary>
    internal static bool IsOfGenerator(scoped ref QueryContext context) =>
        context.Client.Port is 7 or 13 or 17 or 19 or 37 && !context.Transport.IsReliable;

    internal static ReplyOutcome WriteHeader(scoped ref QueryContext context, Rcode rcode)
    {
        context.Query.Rcode = rcode;
        return ReplyOutcome.Of(HeaderReply.Write(context.Message, MessageHeader.Flags(context.Message), rcode));
    }
}
