using System.Net;
using Dns.Answering;
using Dns.Protocol;
using Dns.Testing;
using Xunit;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

/// <summary>Queries that are one octet or one count off.</summary>
public class MessageLimitTests
{
    /// <summary>The reply's second sixteen bits where the room is the query itself and <paramref name="behind"/> octets more.</summary>
    private static int FlagsOf(byte[] query, int octets, int behind = 0)
    {
        byte[] room = [.. query, .. new byte[behind]];
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));
        return Served.Responder.Respond(room, octets, ResponseTransport.Datagram, ref client) == 0 ? -1 : MessageHeader.Flags(room);
    }

    [Theory, Trait("RFC", "1035 4.1.1")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public void Recursion_desired_means_nothing_in_a_refused_opcode(int opcode)
    {
        byte[] query = (Query("www A") with { Flags = (ushort)(opcode << 11 | MessageHeader.RecursionDesired) }).ToOctets();
        Assert.Equal(MessageHeader.QueryResponse | opcode << 11 | (int)Rcode.NotImp, FlagsOf(query, query.Length));
    }

    [Theory, Trait("RFC", "9619 4")]
    [InlineData(2)]
    [InlineData(256)]
    [InlineData(65535)]
    public void A_count_of_other_than_one_question_is_malformed(int count)
    {
        byte[] query = (Query("www A") with { Counts = [count, 0, 0, 0] }).ToOctets();
        Assert.Equal(MessageHeader.QueryResponse | (int)Rcode.FormErr, FlagsOf(query, query.Length));
    }

    [Fact]
    public void A_question_that_is_cut_short_is_malformed_where_the_room_ends_with_it()
    {
        byte[] query = Query("www A").ToOctets();
        for (int octets = MessageHeader.LengthOctets; octets < query.Length; octets++)
            Assert.Equal(MessageHeader.QueryResponse | (int)Rcode.FormErr, FlagsOf(query[..octets], octets));
    }

    [Fact]
    public void A_query_longer_than_its_room_is_malformed()
    {
        byte[] query = Query("www A").WithEdns().ToOctets();
        Assert.Equal(MessageHeader.QueryResponse | (int)Rcode.FormErr, FlagsOf(query, query.Length + 1));
        Assert.Equal(MessageHeader.QueryResponse | MessageHeader.AuthoritativeAnswer, FlagsOf(query, query.Length, behind: 100) & ~MessageHeader.RcodeMask);
    }
}
