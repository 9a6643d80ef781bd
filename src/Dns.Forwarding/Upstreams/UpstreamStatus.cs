using System.Net;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>How an upstream is doing, for people and for metrics.</summary>
/// <param name="Address">Its address and port.</param>
/// <param name="Zones">The forwarded zones it is asked for.</param>
/// <param name="State">Whether it is asked.</param>
/// <param name="DownFor">How long it has been down; zero if it is not.</param>
/// <param name="RoundTripMs">The smoothed round trip in milliseconds; 0 if nothing was measured.</param>
/// <param name="Sent">Queries sent.</param>
/// <param name="Answered">Replies that counted.</param>
/// <param name="TimedOut">Tries without a reply in time.</param>
/// <param name="Mismatched">Messages that belonged to no query or differ in letter case, ignored.</param>
/// <param name="StreamFallbacks">Questions asked again over TCP: truncated, misspelt, or under attack.</param>
/// <param name="IsStreamOnly">Whether it is asked over TCP because it does not copy the letter case of questions.</param>
public sealed record UpstreamStatus(
    IPEndPoint Address, IReadOnlyList<DomainName> Zones, UpstreamState State, TimeSpan DownFor, double RoundTripMs, long Sent,
    long Answered, long TimedOut, long Mismatched, long StreamFallbacks, bool IsStreamOnly)
{
    /// <summary>Round trips of queries over UDP.</summary>
    public RoundTripCounts RoundTrips { get; init; } = new([], 0);
}
