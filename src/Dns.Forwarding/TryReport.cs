using System.Net;
using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>One sending of a question to an upstream, for whoever traces.</summary>
/// <param name="Upstream">Who was asked.</param>
/// <param name="Transport">How it was sent.</param>
/// <param name="SentAgo">How long ago it was sent.</param>
/// <param name="EndedAgo">How long ago it ended; zero if it has not.</param>
/// <param name="Outcome">What became of it.</param>
public readonly record struct TryReport(
    IPEndPoint Upstream, DnsTransport Transport, TimeSpan SentAgo, TimeSpan EndedAgo, TryOutcome Outcome);

/// <summary>What became of asking an upstream once.</summary>
public enum TryOutcome : byte
{
    /// <summary>No reply yet.</summary>
    Pending,

    /// <summary>The reply is the answer.</summary>
    Answered,

    /// <summary>No reply in time: another try was made.</summary>
    TimedOut,

    /// <summary>It could not be sent, or the connection ended.</summary>
    NetworkError,

    /// <summary>The upstream cannot answer: SERVFAIL, REFUSED, or a reply without use.</summary>
    Refused,

    /// <summary>TC: asked again over TCP.</summary>
    Truncated,

    /// <summary>The upstream does not understand EDNS: asked again without.</summary>
    FormatError,

    /// <summary>The upstream wants another cookie, or has lost its own.</summary>
    BadCookie,

    /// <summary>A reply that may be forged, or too many of them: asked again over TCP.</summary>
    Doubtful,

    /// <summary>The upstream is this server.</summary>
    Loop,

    /// <summary>Its place on a stream was given to a newer question.</summary>
    Evicted,
}

/// <summary>The reports of an upstream query's tries.</summary>
[InlineArray(UpstreamQuery.MaxSends)]
internal struct TryReports
{
    private TryReport _first;

    /// <summary>Reports of tries.</summary>
    /// <param name="tries">The tries of an upstream query that has ended.</param>
    /// <param name="zone">Whom they went to.</param>
    /// <param name="now">The time, in ticks of the clock.</param>
    internal static TryReports Of(ReadOnlySpan<UpstreamTry> tries, ZoneUpstreams zone, long now)
    {
        TryReports reports = default;
        for (int i = 0; i < tries.Length; i++)
        {
            ref readonly UpstreamTry t = ref tries[i];
            long endedAgo = t.Outcome == TryOutcome.Pending ? 0 : now - t.EndedAt;
            reports[i] = new TryReport(
                zone[t.Number].Address, t.IsStream ? DnsTransport.Tcp : DnsTransport.Udp, new TimeSpan(now - t.SentAt),
                new TimeSpan(endedAgo), t.Outcome);
        }
        return reports;
    }
}
