using Xunit;

namespace Dns.Zones.Tests;

public class ZoneFileNamesTests
{
    [Theory]
    [InlineData("example.com.", "example.com")]
    [InlineData("EXAMPLE.com.", "example.com")]
    [InlineData(".", "%2e")]
    [InlineData("_tcp.x-y.example.", "_tcp.x-y.example")]
    [InlineData(@"a\.b.example.", "a%2eb.example")]
    [InlineData("0/25.2.0.192.in-addr.arpa.", "0%2f25.2.0.192.in-addr.arpa")]
    [InlineData(@"\..example.", "%2e.example")]
    [InlineData(@"\.\.\/\.\.\/etc.", "%2e%2e%2f%2e%2e%2fetc")]
    [InlineData(@"a\\b.", "a%5cb")]
    [InlineData("a%2eb.example.", "a%252eb.example")]
    [InlineData(@"a\000b.", "a%00b")]
    [InlineData("a~b.", "a%7eb")]
    [InlineData("nul.", "%6eul")]
    [InlineData("com1.example.", "%63om1.example")]
    [InlineData("community.example.", "community.example")]
    public void A_zone_has_a_name_that_is_safe_as_that_of_a_file(string zone, string expected) =>
        Assert.Equal(expected, ZoneFileNames.Of(DomainName.Parse(zone)));

    [Fact]
    public void Long_names_of_zones_differ_though_they_begin_the_same()
    {
        string labels = string.Join('.', Enumerable.Repeat(new string('a', 60), 3));
        string first = ZoneFileNames.Of(DomainName.Parse($"{labels}.x.")),
            second = ZoneFileNames.Of(DomainName.Parse($"{labels}.y."));
        Assert.NotEqual(first, second);
        Assert.Equal(ZoneFileNames.MaxLength, first.Length);
        Assert.Equal(first, ZoneFileNames.Of(DomainName.Parse($"{labels.ToUpperInvariant()}.X.")));
    }

    [Fact]
    public void Every_octet_of_a_label_makes_a_name_of_its_own()
    {
        HashSet<string> names = [];
        for (int octet = 0; octet < 256; octet++)
        {
            if (octet is >= 'A' and <= 'Z') continue;
            string name = ZoneFileNames.Of(DomainName.FromOctets([1, (byte)octet, 0]));
            Assert.True(names.Add(name), name);
            Assert.True(
                name.All(c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '-' or '_' or '%'), name);
        }
    }
}
