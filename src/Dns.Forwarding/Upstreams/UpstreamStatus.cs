namespace Dns.Forwarding.Upstreams;

/// <summary>The status of an upstream, for display and metrics.</summary>
/// <param name="State">Up, down or excluded.</param>
/// <param name="DownFor">How long it has been down; zero if it is not.</param>
/// <param name="RoundTripMs">The smoothed round trip in milliseconds; 0 if nothing was measured.</param>
/// <param name="Answered">Matched replies.</param>
/// <param name="Mismatched">Ignored messages that matched no query, or differed in letter case.</param>
/// <param name="StreamFallbacks">Questions retried over TCP: truncated, other letter case, or possibly forged.</param>
/// <param name="IsStreamOnly">
/// Whether only streams are used: without datagrams, or since it changes the letter case of questions or our cookie.
/// </param>
public sealed record UpstreamStatus(
    PeerAddress Address, IReadOnlyList<DomainName> Zones, UpstreamState State, TimeSpan DownFor,
    double RoundTripMs, long Sent,
    long Answered, long TimedOut, long Mismatched, long StreamFallbacks, bool IsStreamOnly)
{
    /// <summary>Round trips of queries over UDP.</summary>
    public RoundTripCounts RoundTrips { get; init; } = new([], 0);

    /// <summary>While it is down: why the network took no probe last, such as no route; null if it did.</summary>
    public NetworkFault? Fault { get; init; }

    /// <summary>Why it is down.</summary>
    public string Reason => Fault is null ? "no answer" : "cannot send: " + Fault.Text;
}
