using System.Net;

namespace Dns.Server.Tests.Forwarding;

public class UpstreamStatusTests
{
    private static readonly IPEndPoint First = IPEndPoint.Parse("192.0.2.1:53"),
        Second = IPEndPoint.Parse("192.0.2.2:53");

    [Fact]
    public void Upstreams_that_are_not_asked_are_warned_of_and_zones_without_any_first()
    {
        Assert.Empty(UpstreamWarnings.Of([Status(First, UpstreamState.Up, ".")]));
        Assert.Equal(
            [
                "all upstreams of corp.example. are down: clients get stale answers or SERVFAIL",
                "upstream 192.0.2.1:53 of . corp.example. is down, for " + TextTable.Duration(TimeSpan.FromSeconds(90)),
                "upstream 192.0.2.3:53 of corp.example. is this server and is not queried",
            ],
            UpstreamWarnings.Of(
            [
                Status(First, UpstreamState.Down, ".", "corp.example."), Status(Second, UpstreamState.Up, "."),
                Status(IPEndPoint.Parse("192.0.2.3:53"), UpstreamState.Self, "corp.example."),
            ]));
    }

    [Theory]
    [InlineData(UpstreamState.Up, 0, 0, "up, not queried yet")]
    [InlineData(UpstreamState.Up, 3, 0, "up, no answer yet")]
    [InlineData(UpstreamState.Up, 3, 2, "up, 1.0 ms")]
    [InlineData(UpstreamState.Down, 3, 2, "down, for 1m 30s")]
    [InlineData(UpstreamState.Self, 0, 0, "this server, not queried")]
    public void An_upstream_is_described_by_what_was_seen_of_it(UpstreamState state, long sent, long answered,
        string expected) =>
        Assert.Equal("upstream 192.0.2.1:53: " + expected,
            ForwardingExplanation.Describe(Status(First, state, ".") with { Sent = sent, Answered = answered }));

    [Fact]
    public void An_upstream_that_cannot_be_sent_to_is_shown_with_the_reason()
    {
        UpstreamStatus status =
            Status(First, UpstreamState.Down, ".") with { Fault = new(IsUnreachable: true, "Network is unreachable") };
        const string expected = "down, for 1m 30s: cannot send: Network is unreachable";
        Assert.Equal("upstream 192.0.2.1:53: " + expected, ForwardingExplanation.Describe(status));
        Assert.Equal(["upstream 192.0.2.1:53 of . is " + expected], UpstreamWarnings.OfUpstreams([status]));
    }

    [Theory]
    [InlineData(3594, "stored 6 s ago, 3594 s left")]
    [InlineData(-7.2, "stored 6 s ago, expired 7 s ago")]
    public void A_cached_answer_is_good_for_a_time_or_has_expired(double left, string expected) =>
        Assert.Equal(expected, new CacheLine("A", "None", "NOERROR", 6, left, []).Times);

    private static UpstreamStatus Status(IPEndPoint address, UpstreamState state, params string[] zones) => new(
        address, [.. zones.Select(DomainName.Parse)], state, TimeSpan.FromSeconds(90), 1, 0, 0, 0, 0, 0, false);
}
