using Dns.Protocol;

namespace Dns.Server.Tests;

public class QueryRequestTests
{
    private static QueryRequest Parse(params string[] words)
    {
        QueryRequest? request = QueryRequest.Parse(words, isReverse: false, out string problem);
        return request ?? throw new FormatException(problem);
    }

    [Theory]
    [InlineData("www.example.com", "www.example.com. A IN 127.0.0.1 5335")]
    [InlineData("example.com mx @192.0.2.1", "example.com. MX IN 192.0.2.1 53")]
    [InlineData("@192.0.2.1:5300 example.com", "example.com. A IN 192.0.2.1 5300")]
    [InlineData("example.com TYPE65280 @[::1]:5335", "example.com. TYPE65280 IN ::1 5335")]
    [InlineData("version.bind TXT CH", "version.bind. TXT CH 127.0.0.1 5335")]
    [InlineData(". NS @ns.example:54", ". NS IN ns.example 54")]
    [InlineData("any any", "any. ANY IN 127.0.0.1 5335")]
    public void Words_are_read_in_the_order_of_dig(string words, string expected)
    {
        QueryRequest request = Parse(words.Split(' '));
        Assert.Equal(expected, $"{request.Name} {RRTypeText.Format(request.Type)} {RRClassText.Format(request.Class)} {request.Server} {request.Port}");
    }

    [Theory]
    [InlineData("192.0.2.10", "10.2.0.192.in-addr.arpa.")]
    [InlineData("2001:db8::1", "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.")]
    public void An_address_is_asked_for_in_reverse(string address, string expected)
    {
        QueryRequest? request = QueryRequest.Parse([address], isReverse: true, out _);
        Assert.Equal((expected, RRType.PTR), (request!.Name.ToString(), request.Type));
    }

    [Fact]
    public void A_name_is_no_address()
    {
        Assert.Null(QueryRequest.Parse(["example.com"], isReverse: true, out string problem));
        Assert.Equal("\"example.com\" is not an address", problem);
    }

    [Fact]
    public void The_query_has_a_question_and_an_opt()
    {
        byte[] message = (Parse("a.") with { IsDnssec = true, AsksIdentity = true }).ToMessage(0x1234);
        Assert.Equal(
            "1234 0100 0001 0000 0000 0001 " + "016100 0001 0001 " + "00 0029 04D0 00008000 0004 0003 0000",
            Spaced(message, 2, 2, 2, 2, 2, 2, 3, 2, 2, 1, 2, 2, 4, 2, 2, 2));
    }

    [Fact]
    public void Only_a_reply_to_the_question_is_a_reply()
    {
        QueryRequest request = Parse("a.example", "MX");
        byte[] reply = request.ToMessage(7);
        Assert.False(request.IsAnsweredBy(reply, 7));
        reply[2] |= 0x80;
        Assert.True(request.IsAnsweredBy(reply, 7));
        Assert.False(request.IsAnsweredBy(reply, 8));
        Assert.False((request with { Type = RRType.A }).IsAnsweredBy(reply, 7));
        Assert.False((request with { Name = DomainName.Parse("b.example") }).IsAnsweredBy(reply, 7));
        Assert.True((request with { Name = DomainName.Parse("A.Example") }).IsAnsweredBy(reply, 7));
        for (int length = 0; length < 27; length++) Assert.False(request.IsAnsweredBy(reply.AsSpan(0, length), 7));
    }

    private static string Spaced(byte[] octets, params int[] lengths)
    {
        int at = 0;
        return string.Join(' ', lengths.Select(length => Convert.ToHexString(octets, (at += length) - length, length)));
    }
}
