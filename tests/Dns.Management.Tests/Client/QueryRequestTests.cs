namespace Dns.Management.Tests.Client;

public class QueryRequestTests
{
    private static QueryRequest Question(string name, RRType type = RRType.A) =>
        new(DomainName.Parse(name), type, RRClass.IN, "127.0.0.1", 53);

    [Fact]
    public void The_query_has_a_question_and_an_opt()
    {
        byte[] message = (Question("a.") with { IsDnssec = true, RequestsNsid = true }).ToMessage(0x1234);
        Assert.Equal(
            "1234 0100 0001 0000 0000 0001 " + "016100 0001 0001 " + "00 0029 04D0 00008000 0004 0003 0000",
            Spaced(message, 2, 2, 2, 2, 2, 2, 3, 2, 2, 1, 2, 2, 4, 2, 2, 2));
    }

    [Fact]
    public void Only_a_reply_to_the_question_is_a_reply()
    {
        QueryRequest request = Question("a.example", RRType.MX);
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
