using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class ZoneComparisonTests
{
    private const string Text = "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.2\nwww A 192.0.2.3\nmx MX 1 ns\n";

    private static Zone Load(string text) => ZoneText.Load("example.test", text);

    [Fact]
    public void The_same_text_gives_the_same_zone() => Assert.True(Load(Text).IsSameAs(Load(Text)));

    [Theory]
    [InlineData("192.0.2.3", "192.0.2.4")]
    [InlineData("SOA ns h 1", "SOA ns h 2")]
    [InlineData("www A 192.0.2.2", "www 59 A 192.0.2.2")]
    [InlineData("www", "wwx")]
    [InlineData("mx MX", "mX MX")]
    [InlineData("mx MX 1 ns\n", "")]
    [InlineData("mx MX 1 ns\n", "mx MX 1 ns\nmy MX 1 ns\n")]
    [InlineData("mx MX 1 ns", "mx RT 1 ns")]
    public void One_difference_is_seen(string old, string now)
    {
        Zone zone = Load(Text), other = Load(Text.Replace(old, now));
        Assert.False(zone.IsSameAs(other));
        Assert.False(other.IsSameAs(zone));
    }
}
