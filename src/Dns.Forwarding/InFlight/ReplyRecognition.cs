namespace Dns.Forwarding.InFlight;

/// <summary>What a message with the ID of a try is.</summary>
internal enum Recognition : byte
{
    /// <summary>The upstream's reply.</summary>
    Ours,

    /// <summary>Forged, or of an upstream that has changed: a stream decides.</summary>
    Doubtful,

    /// <summary>Another question's: a guess of a forger.</summary>
    Guess,
}

/// <summary>Recognises the reply to a try by everything that a forger would have to guess.</summary>
internal static class ReplyRecognition
{
    /// <summary>Compares a message with a try; the upstream remembers what its reply shows.</summary>
    internal static Recognition Of(
        in UpstreamTry t, Upstream upstream, ReadOnlySpan<byte> question, ReadOnlySpan<byte> reply, in OptReader opt,
        bool isStream, bool randomizesCase, long now)
    {
        opt.TryFind(EdnsOptionCode.Cookie, out ReadOnlySpan<byte> cookie);
        switch (ReplyMatch.Compare(reply, question))
        {
            case ReplyMatch.Kind.OtherCase when !isStream && randomizesCase:
                upstream.RememberStream();
                return Recognition.Doubtful;
            case not ReplyMatch.Kind.None when HasCookie(in t, upstream, cookie, isStream, out bool isMissing):
                if (!isStream) upstream.RoundTrip.Add(now - t.SentAt);
                upstream.CountAnswer(now);
                if (opt.IsPresent) upstream.RememberEdns();
                if (isMissing) upstream.Cookie.Forget();
                else if (t.HasEdns && upstream.Cookie.Matches(cookie)) upstream.Cookie.Learn(cookie);
                // It changes our cookie: its datagrams look like forged ones.
                else if (t.HasEdns && !cookie.IsEmpty) upstream.RememberStream();
                return Recognition.Ours;
            case not ReplyMatch.Kind.None:
                // Its cookie is not ours, or none, although it used to send one: either this reply is forged, or the
                // upstream or something before it has changed.
                return Recognition.Doubtful;
            default:
                return Recognition.Guess;
        }
    }

    /// <summary>Whether a reply has the cookie it must have (RFC 7873 §5.3); over a stream it needs none.</summary>
    private static bool HasCookie(in UpstreamTry t, Upstream upstream, ReadOnlySpan<byte> cookie, bool isStream,
        out bool isMissing)
    {
        isMissing = t.HasEdns && cookie.IsEmpty && upstream.Cookie.IsExpected;
        return !t.HasEdns || isStream || (cookie.IsEmpty ? !isMissing : upstream.Cookie.Matches(cookie));
    }
}
