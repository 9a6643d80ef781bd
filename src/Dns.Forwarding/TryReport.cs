namespace Dns.Forwarding;

/// <summary>One try of a question at an upstream, for traces.</summary>
/// <param name="SentAgo">The time since it was sent.</param>
/// <param name="EndedAgo">The time since it ended; zero if it has not.</param>
public readonly record struct TryReport(
    IPEndPoint Upstream, DnsTransport Transport, TimeSpan SentAgo, TimeSpan EndedAgo, TryOutcome Outcome);

/// <summary>The outcome of a try.</summary>
public enum TryOutcome : byte
{
    /// <summary>No reply yet.</summary>
    Pending,

    /// <summary>Answered.</summary>
    Answered,

    /// <summary>No reply in time; another try was made.</summary>
    TimedOut,

    /// <summary>Not sent, or the connection ended.</summary>
    NetworkError,

    /// <summary>The upstream cannot answer: SERVFAIL, REFUSED, or a useless reply.</summary>
    Refused,

    /// <summary>TC, or a reply that is cut off or damaged; retried over TCP.</summary>
    Truncated,

    /// <summary>The upstream does not support EDNS; retried without.</summary>
    FormatError,

    /// <summary>The upstream requires another cookie, or lost its own.</summary>
    BadCookie,

    /// <summary>Possibly forged replies; retried over TCP.</summary>
    Doubtful,

    /// <summary>The upstream is this server.</summary>
    Loop,

    /// <summary>Evicted from a stream by a newer question.</summary>
    Evicted,
}

/// <summary>The reports of an upstream query's tries.</summary>
[InlineArray(UpstreamQuery.MaxSends)]
internal struct TryReports
{
    private TryReport _first;

    /// <param name="now">The time, in ticks of the clock.</param>
    internal static TryReports Of(ReadOnlySpan<UpstreamTry> tries, ZoneUpstreams zone, long now)
    {
        TryReports reports = default;
        for (int i = 0; i < tries.Length; i++)
        {
            ref readonly UpstreamTry t = ref tries[i];
            long endedAgo = t.Outcome == TryOutcome.Pending ? 0 : now - t.EndedAt;
            reports[i] = new TryReport(
                zone[t.Number].Server.EndPoint, t.IsStream ? DnsTransport.Tcp : DnsTransport.Udp,
                new TimeSpan(now - t.SentAt), new TimeSpan(endedAgo), t.Outcome);
        }
        return reports;
    }
}
