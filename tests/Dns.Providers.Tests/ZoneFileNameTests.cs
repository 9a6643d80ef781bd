namespace Dns.Providers.Tests;

public class ZoneFileNameTests
{
    [Theory]
    [InlineData("example.com.zone", "example.com.")]
    [InlineData("Example.COM.ZONE", "Example.COM.")]
    [InlineData("example.com..zone", "example.com.")]
    [InlineData("example.com", "example.com.")]
    [InlineData("db.example.com", "db.example.com.")]
    [InlineData("com.zone", "com.")]
    [InlineData("zone.zone", "zone.")]
    [InlineData("0%2F25.2.0.192.in-addr.arpa.zone", "0/25.2.0.192.in-addr.arpa.")]
    [InlineData("0%2f25.2.0.192.in-addr.arpa.zone", "0/25.2.0.192.in-addr.arpa.")]
    [InlineData("100%25.example.zone", "100%.example.")]
    [InlineData("a%5C046b.example.zone", "a\\.b.example.")]
    [InlineData("a\\046b.example.zone", "a\\.b.example.")]
    [InlineData("a%2Eb.example.zone", "a.b.example.")]
    [InlineData("%5C000.example.zone", "\\000.example.")]
    [InlineData("%2A.example.zone", "*.example.")]
    public void A_zone_is_named_by_its_file(string fileName, string expected)
    {
        Assert.True(ZoneFileName.TryParse(fileName, out DomainName? zone));
        Assert.Equal(expected, zone.ToString());
    }

    [Theory]
    [InlineData(".zone", "\"\" is not the name of a zone")]
    [InlineData("..zone", "\".\" is not the name of a zone")]
    [InlineData("@.zone", "\"@\" is not the name of a zone")]
    [InlineData("a..b.zone", "\"a..b\" is not the name of a zone")]
    [InlineData("a%.zone", "a percent sign is not followed by two hexadecimal digits (a percent sign itself is %25)")]
    [InlineData("a%2.zone", "a percent sign is not followed by two hexadecimal digits (a percent sign itself is %25)")]
    [InlineData("a%xy.zone", "a percent sign is not followed by two hexadecimal digits (a percent sign itself is %25)")]
    [InlineData("a% 5.zone", "a percent sign is not followed by two hexadecimal digits (a percent sign itself is %25)")]
    [InlineData("münchen.de.zone", "the name of a zone is ASCII (international names are written as xn--...)")]
    [InlineData("m%FCnchen.de.zone", "the name of a zone is ASCII (international names are written as xn--...)")]
    public void A_file_that_is_named_after_no_zone_says_why(string fileName, string expected)
    {
        Assert.False(ZoneFileName.TryParse(fileName, out _));
        Assert.Equal(expected, ZoneFileName.Explain(fileName));
    }
}
