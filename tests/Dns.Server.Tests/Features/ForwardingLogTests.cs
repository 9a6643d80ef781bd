using System.Net;

namespace Dns.Server.Tests.Features;

public class ForwardingLogTests
{
    [Theory]
    [InlineData(20, "Information Forwarding z20. to 192.0.2.2:53 192.0.2.1:53 (ordered)")]
    [InlineData(21, "Information Forwarding 1 more: see the settings")]
    [InlineData(1234, "Information Forwarding 1,214 more: see the settings")]
    public void Each_of_the_first_twenty_zones_has_a_line_with_its_upstreams_in_order(int count, string last)
    {
        LineLog<ForwardingLogTests> lines = new();
        PeerAddress[] upstreams = [IPEndPoint.Parse("192.0.2.2:53"), IPEndPoint.Parse("192.0.2.1:53")];
        ForwardingLog.Write(lines, [.. Enumerable.Range(1, count)
            .Select(i => new ForwardZone(DomainName.Parse($"z{i}."), upstreams, UpstreamPolicy.Ordered))]);
        Assert.Equal(Math.Min(count, 21), lines.Lines.Count);
        Assert.Equal(last, lines.Lines[^1]);
    }
}
