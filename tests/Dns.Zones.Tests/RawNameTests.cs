using System.Text;
using Xunit;

namespace Dns.Zones.Tests;

[Trait("RFC", "5890 §2.3.2.1")]
public sealed class RawNameTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    // What the folder writes is Latin-1: so UTF-8 arrives as such.
    private ZoneLoadResult Load(string text) =>
        _folder.Load(ZoneFolder.Start + Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text)));

    private string Check(string text) => _folder.Describe(Load(text).Diagnostics);

    [Theory]
    [InlineData("bücher A 192.0.2.1\n", "4:1", "b\\195\\188cher", "the A-labels that clients query, xn--bcher-kva")]
    [InlineData("www MX 10 BÜCHER.example.\n", "4:11", "B\\195\\156CHER.example.",
        "the A-labels that clients query, xn--bcher-kva.example.")]
    [InlineData("_x._tcp.日本\tSRV 1 2 3 a.example.\n", "4:1", "_x._tcp.\\230\\151\\165\\230\\156\\172",
        "the A-labels that clients query, _x._tcp.xn--wgv71a")]
    [InlineData("a NAPTR 1 2 \"u\" ü \"\" ö.example.\n", "4:23", "\\195\\182.example.",
        "the A-labels that clients query, xn--nda.example.")]
    [InlineData("$ORIGIN ü\na A 192.0.2.1\n", "4:9", "\\195\\188", "the A-labels that clients query, xn--tda")]
    [InlineData("$GENERATE 1-2 ü$ A 192.0.2.1\n", "4:1", "\\195\\1881", "the A-labels that clients query, xn--1-dha")]
    [InlineData("a\\.ü A 192.0.2.1\n", "4:1", "a\\.\\195\\188", "a name in ASCII")]
    public void Raw_octets_in_a_name_are_a_warning_with_the_A_labels(string text, string location, string shown,
        string expected) =>
        Assert.Equal($"{location}: warning: found \"{shown}\", expected {expected} (further ones are not reported)",
            Check(text));

    [Fact]
    public void What_is_not_UTF_8_has_no_A_labels() =>
        Assert.Equal(
            "4:1: warning: found \"b\\252cher\", expected a name in ASCII (further ones are not reported)",
            _folder.Check(ZoneFolder.Start + "b\u00FCcher A 192.0.2.1\n"));

    [Fact]
    public void Only_the_first_raw_name_of_a_zone_is_told()
    {
        ZoneLoadResult result = Load("a NS ü.example.\nä A 192.0.2.1\n NS ö.example.\n");
        Assert.Equal((4, 6), (result.Diagnostics.Single().Line, result.Diagnostics[0].Column));
        Assert.NotNull(result.Zone);
    }

    [Fact]
    public void Escapes_strings_and_comments_may_hold_any_octet() =>
        Assert.Equal("", Check("""
            ; bücher
            b\195\188cher A 192.0.2.1 ; ä
            t TXT bücher "ö"
            i HINFO ü ö
            c CAA 0 issue "ü"
            u URI 1 2 "http://ü.example/"
            h HTTPS 1 . alpn=ü
            """));
}
