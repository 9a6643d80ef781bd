using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class ZoneDigestTests
{
    private const string Soa = "@ 3600 IN SOA ns admin 1 3600 600 86400 60\n@ 3600 IN NS ns\nns 300 IN A 192.0.2.1\n";

    [Fact]
    public void Order_and_spelling_of_owners_make_no_difference() =>
        Assert.Equal(Of(Soa + "a 1 IN A 192.0.2.2\nb 1 IN A 192.0.2.3\n"),
            Of("B 1 IN A 192.0.2.3\nA 1 IN A 192.0.2.2\n" + Soa));

    [Theory]
    [InlineData("a 1 IN A 192.0.2.2", "a 2 IN A 192.0.2.2")]
    [InlineData("a 1 IN A 192.0.2.2", "a 1 IN A 192.0.2.3")]
    [InlineData("a 1 IN A 192.0.2.2", "b 1 IN A 192.0.2.2")]
    [InlineData("a 1 IN TXT \"x\"", "a 1 IN SPF \"x\"")]
    [InlineData("a 1 IN TXT \"ab\" \"c\"", "a 1 IN TXT \"a\" \"bc\"")]
    [InlineData("a 1 IN TXT \"x\"\nb 1 IN TXT \"y\"", "a 1 IN TXT \"y\"\nb 1 IN TXT \"x\"")]
    [InlineData("a 1 IN TXT \"x\"", "")]
    public void Records_that_differ_make_one(string one, string other) =>
        Assert.NotEqual(Of(Soa + one + "\n"), Of(Soa + other + "\n"));

    [Fact]
    public void A_version_that_was_edited_has_that_of_one_that_was_read()
    {
        Zone zone = ZoneText.Load("example.com.", Soa);
        ZoneDeltaBuilder changes = new(DomainName.Parse("example.com."), 1);
        byte[] address = [192, 0, 2, 2];
        changes.Add(DomainName.Parse("a.example.com.").Octets, RRType.A, 1, address);
        Zone edited = ZoneEditor.From(zone).Apply(changes.Build()).Zone!;
        Assert.Equal(Of(Soa + "a 1 IN A 192.0.2.2\n"), ZoneDigest.Of(edited));
        Assert.NotEqual(Of(Soa), ZoneDigest.Of(edited));
    }

    private static UInt128 Of(string text) => ZoneDigest.Of(ZoneText.Load("example.com.", text));
}
