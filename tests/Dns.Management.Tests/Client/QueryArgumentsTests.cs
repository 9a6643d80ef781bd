using System.Net;

namespace Dns.Management.Tests.Client;

public class QueryArgumentsTests
{
    private static QueryArguments Parse(string words) =>
        QueryArguments.Parse(words.Split(' '), isReverse: false, out string problem)
            ?? throw new FormatException(problem);

    [Theory]
    [InlineData("www.example.com", "www.example.com. A IN - -")]
    [InlineData("example.com mx @192.0.2.1", "example.com. MX IN 192.0.2.1 -")]
    [InlineData("@192.0.2.1:5300 example.com", "example.com. A IN 192.0.2.1 5300")]
    [InlineData("@192.0.2.1#5300 example.com", "example.com. A IN 192.0.2.1 5300")]
    [InlineData("example.com TYPE65280 @[::1]:5335", "example.com. TYPE65280 IN ::1 5335")]
    [InlineData("example.com @[::1]#5335", "example.com. A IN ::1 5335")]
    [InlineData("example.com @::1#5335", "example.com. A IN ::1 5335")]
    [InlineData("example.com @2001:db8::53", "example.com. A IN 2001:db8::53 -")]
    [InlineData("version.bind TXT CH", "version.bind. TXT CH - -")]
    [InlineData(". NS @ns.example:54", ". NS IN ns.example 54")]
    [InlineData(". NS @ns.example#54", ". NS IN ns.example 54")]
    [InlineData("any any", "any. ANY IN - -")]
    [InlineData("any any any", "any. ANY ANY - -")]
    [InlineData("example.com A aaaa MX", "example.com. A,AAAA,MX IN - -")]
    public void Words_are_read_in_the_order_of_dig(string words, string expected)
    {
        QueryArguments read = Parse(words);
        Assert.Equal(expected,
            $"{read.Name} {string.Join(',', read.Types.Select(RRTypeText.Format))} {RRClassText.Format(read.Class)} "
            + $"{read.Server ?? "-"} {read.Port?.ToString() ?? "-"}");
    }

    [Fact]
    public void Words_with_a_plus_sign_are_those_of_dig()
    {
        QueryArguments read = Parse("+short a +dnssec +vc MX +nsid");
        Assert.Equal((true, true, true, true), (read.IsShort, read.IsDnssec, read.IsTcp, read.RequestsNsid));
        Assert.Equal([RRType.MX], read.Types);
        Assert.False(Parse("a").IsShort);
    }

    [Theory]
    [InlineData("+short", "expected the NAME to ask about")]
    [InlineData("a +trace", "\"+trace\": expected one of +short, +dnssec, ")]
    [InlineData("--foo a", "\"--foo\": there is no such option")]
    [InlineData("a NOTYPE", "\"NOTYPE\" is neither a type nor a class nor @SERVER")]
    [InlineData("a MX MX", "\"MX\" is neither a type nor a class nor @SERVER")]
    [InlineData("a..b", "\"a..b\" is not a domain name")]
    [InlineData("a @", "\"@\": expected @SERVER")]
    [InlineData("a @192.0.2.1#", "\"@192.0.2.1#\": expected @SERVER")]
    [InlineData("a @192.0.2.1#0", "\"@192.0.2.1#0\": expected @SERVER")]
    [InlineData("a @192.0.2.1:0", "\"@192.0.2.1:0\": expected @SERVER")]
    [InlineData("a @192.0.2.1:53#53", "\"@192.0.2.1:53#53\": expected @SERVER")]
    [InlineData("a @192.0.2.1#65536", "\"@192.0.2.1#65536\": expected @SERVER")]
    [InlineData("a @1.1.1.1 @", "\"@\": expected @SERVER")]
    public void What_is_wrong_is_said(string words, string expected)
    {
        Assert.Null(QueryArguments.Parse(words.Split(' '), isReverse: false, out string problem));
        Assert.StartsWith(expected, problem);
    }

    [Theory]
    [InlineData("192.0.2.10", "10.2.0.192.in-addr.arpa.")]
    [InlineData("2001:db8::1", "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.")]
    public void An_address_is_asked_for_in_reverse(string address, string expected)
    {
        QueryArguments read = QueryArguments.Parse([address], isReverse: true, out _)!;
        Assert.Equal((expected, RRType.PTR), (read.Name.ToString(), Assert.Single(read.Types)));
    }

    [Theory]
    [InlineData("example.com")]
    [InlineData("999")]
    [InlineData("10.1")]
    public void A_name_is_no_address(string text)
    {
        Assert.Null(QueryArguments.Parse([text], isReverse: true, out string problem));
        Assert.Equal($"\"{text}\" is not an address", problem);
    }

    [Theory]
    [InlineData("0.0.0.0:53 [::]:53", "127.0.0.1:53")]
    [InlineData("[::]:5300", "[::1]:5300")]
    [InlineData("192.0.2.1:53 [::1]:5335", "[::1]:5335")]
    [InlineData("192.0.2.1:53 192.0.2.2:53", "192.0.2.1:53")]
    [InlineData("[::1]:5335 127.0.0.1:5336", "127.0.0.1:5336")]
    public void Of_the_addresses_of_a_server_a_loopback_one_is_asked(string listening, string expected) =>
        Assert.Equal(IPEndPoint.Parse(expected), RunningServer.Choose(listening.Split(' ').Select(IPEndPoint.Parse)));
}
