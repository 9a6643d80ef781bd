using System.Net;
using Dns.Testing;
using Xunit;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

/// <summary>Queries that are one octet or one count off.</summary>
public class MessageLimitTests
{
    /// <summary>
    /// The reply's second sixteen bits where the room is the query itself and <paramref name="behind"/> octets more.
    /// </summary>
    private static int FlagsOf(byte[] query, int octets, int behind = 0)
    {
        byte[] room = [.. query, .. new byte[behind]];
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));
        return Served.Responder.Respond(room, octets, DnsTransport.Udp, ref client) == 0
            ? -1 : MessageHeader.Flags(room);
    }

    [Theory, Trait("RFC", "1035 4.1.1")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public void Recursion_desired_means_nothing_in_a_refused_opcode(int opcode)
    {
        byte[] query =
            (Query("www A") with { Flags = (ushort)(opcode << 11 | MessageHeader.RecursionDesired) }).ToOctets();
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
    public void A_message_shorter_than_a_header_is_dropped()
    {
        byte[] query = Query("www A").ToOctets();
        Assert.Equal(-1, FlagsOf(query[..11], 11, behind: 500));
        Assert.Equal(MessageHeader.QueryResponse | (int)Rcode.FormErr, FlagsOf(query[..12], 12, behind: 500));
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
        Assert.Equal(MessageHeader.QueryResponse | MessageHeader.AuthoritativeAnswer,
            FlagsOf(query, query.Length, behind: 100) & ~MessageHeader.RcodeMask);
    }

    [Theory]
    [InlineData("www A CH", "REFUSED")]
    [InlineData("www A NONE", "REFUSED")]
    [InlineData("www MAILB", "NOTIMP")]
    public void Records_of_a_query_are_not_counted_in_a_refusal(string question, string header)
    {
        byte[] record = WireOctets.Record("x.example.test", RRType.A, 1, 60, [192, 0, 2, 1]);
        QueryMessage query =
            Query(question) with { Answer = [record], Authority = [record, record], Additional = [record] };
        Served.Ask(query).Says(header);
    }

    [Theory, Trait("RFC", "6672 2.2")]
    [InlineData(59, "NOERROR aa")]
    [InlineData(60, "YXDOMAIN aa")]
    public void A_redirection_leads_to_names_of_255_octets(int label, string header)
    {
        string x = new('x', 60), target = $"{x}.{x}.{x}.{new string('y', 10)}.";
        ServedZones zones =
            new(("z.test", $"@ 300 SOA ns.other. h 1 2 3 4 5\n@ 300 NS ns.other.\nd 300 DNAME {target}\n"));
        Assert.Equal(header, zones.Ask(QueryMessage.For($"{new string('a', label)}.d.z.test").WithEdns()).Header);
    }

    [Theory, Trait("RFC", "4892")]
    [InlineData("version.bind TXT CH", "NOERROR aa")]
    [InlineData("version.bind ANY CH", "NOERROR aa")]
    [InlineData("version.bind A CH", "REFUSED")]
    [InlineData("version.bind TYPE65280 CH", "REFUSED")]
    public void The_server_is_described_by_text_alone(string question, string header) =>
        Assert.Equal(header,
            WithOptions(new ResponderOptions { Version = "dnsd 1" }).Ask(QueryMessage.For(question)).Header);

    [Fact, Trait("RFC", "8482 4.1")]
    public void A_signature_alone_is_no_answer_to_ANY()
    {
        ServedZones zones = new(("z.test",
            "$TTL 60\n@ SOA ns.other. h 1 2 3 4 5\n@ NS ns.other.\na RRSIG A 8 3 60 20300101000000 20200101000000 1 " +
                ". AAAA\na A 192.0.2.1\n"));
        Assert.Equal([RRType.RRSIG, RRType.A], zones.Ask("a.z.test ANY").Answer.Select(record => record.Type));
    }

    [Theory]
    [InlineData(15, 15)]
    [InlineData(16, 16)]
    [InlineData(17, 16)]
    public void Addresses_of_sixteen_targets_are_added(int hosts, int addresses)
    {
        string lines =
            string.Concat(Enumerable.Range(0, hosts).Select(i => $"@ 300 MX {i} h{i}\nh{i} 300 A 192.0.2.{i}\n"));
        ServedZones zones = new(("z.test", "@ 300 SOA ns.other. h 1 2 3 4 5\n@ 300 NS ns.other.\n" + lines));
        Reply reply = zones.Ask(QueryMessage.For("z.test MX").WithEdns());
        Assert.Equal((hosts, addresses), (reply.Answer.Count, reply.Additional.Count));
    }
}
