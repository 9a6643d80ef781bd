namespace Dns.Answering.Cookies;

/// <summary>The cookie of a query (RFC 7873).</summary>
internal static class QueryCookie
{
    /// <summary>Checks and renews a query's cookie; EDNS versions above 0 may define the option differently.</summary>
    /// <returns>False if the option is malformed.</returns>
    internal static bool TryVerify(scoped ref QueryContext context)
    {
        ref EdnsQuery edns = ref context.Query.Edns;
        if (context.Options.Cookies is not { } cookies || edns.Version > 0)
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
    internal static ReplyOutcome Refuse(scoped ref QueryContext context)
    {
        context.Query.Edns.Requested = EdnsRequests.None;
        context.Limit = ResponderOptions.MinUdpPayload;
        return ReplyEnd.FinishEmpty(ref context, Rcode.FormErr);
    }
}
