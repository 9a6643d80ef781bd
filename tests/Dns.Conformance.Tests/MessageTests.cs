using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class MessageTests
{
    [Theory, Trait("RFC", "1035 4.1.1")]
    [InlineData(0x0400, "NOERROR aa")]
    [InlineData(0x0200, "NOERROR aa")]
    [InlineData(0x0100, "NOERROR aa rd")]
    [InlineData(0x0080, "NOERROR aa")]
    [InlineData(0x0040, "NOERROR aa")]
    [InlineData(0x0020, "NOERROR aa")]
    [InlineData(0x0010, "NOERROR aa cd")]
    [InlineData(0x000F, "NOERROR aa")]
    [InlineData(0x07FF, "NOERROR aa rd cd")]
    public void Flags_of_the_query_change_nothing_but_rd_and_cd(int flags, string header) =>
        Served.Ask(Query("www A") with { Flags = (ushort)flags })
            .Says(header, "answer www.example.test. 3600 A 192.0.2.10");

    [Theory, Trait("RFC", "1035 4.1.1")]
    [InlineData(0x8000)]
    [InlineData(0x8400)]
    [InlineData(0xA800)]
    [InlineData(0xFFFF)]
    public void A_response_is_never_answered(int flags) =>
        Assert.Null(Served.TryAsk((Query("www A") with { Flags = (ushort)flags }).ToOctets()));

    [Fact, Trait("RFC", "1035 4.2.1")]
    public void A_query_from_port_0_is_never_answered() =>
        Assert.Null(Served.TryAsk(Query("www A").ToOctets(), port: 0));

    [Theory, Trait("RFC", "8906 3.1.4")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(15)]
    public void An_unknown_opcode_is_not_implemented_and_echoed(int opcode) =>
        Served.Ask(Query("www A") with { Flags = (ushort)(opcode << 11 | 0x07FF) }).IsHeaderOnly("NOTIMP");

    [Theory, Trait("RFC", "6891 6.1.1")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(15)]
    public void What_is_not_implemented_is_refused_with_opt_to_who_has_one(int opcode)
    {
        QueryMessage message = Query("@ SOA") with { Flags = (ushort)(opcode << 11 | 0x07FF) };
        Served.Ask(message.WithEdns(1232, true, [WireOctets.Option(EdnsOptionCode.Nsid, [])])).IsHeaderAndOpt("NOTIMP");
        Served.Ask((message with { Question = [] }).WithEdns()).IsHeaderAndOpt("NOTIMP");
        Served.Ask(message.WithEdns() with { Tail = [0xFF] }).IsHeaderAndOpt("NOTIMP");
    }

    [Fact, Trait("RFC", "8490 5.1")]
    public void A_stateful_operation_is_not_implemented() =>
        Served.Ask(new QueryMessage { Flags = 6 << 11, Tail = WireOctets.Hex("0001 0008 00000000 00000000") })
            .IsHeaderOnly("NOTIMP");

    [Theory, Trait("RFC", "1996 3.10")]
    [InlineData(TransportKind.Udp)]
    [InlineData(TransportKind.Tcp)]
    public void A_notification_is_not_implemented(TransportKind kind) =>
        Asked(Query("@ SOA") with { Flags = 4 << 11 | 0x0400 }, new DnsTransport(kind)).IsHeaderOnly("NOTIMP");

    [Theory, Trait("RFC", "2136 3.1")]
    [InlineData(TransportKind.Udp)]
    [InlineData(TransportKind.Tcp)]
    public void An_update_is_not_implemented(TransportKind kind)
    {
        byte[] record = WireOctets.Record("added.example.test", RRType.A, 1, 60, [192, 0, 2, 1]);
        Asked(Query("@ SOA") with { Flags = 5 << 11, Authority = [record] }, new DnsTransport(kind))
            .IsHeaderOnly("NOTIMP");
        Assert.Equal("NXDOMAIN aa", Ask("added A").Header);
    }

    [Fact, Trait("RFC", "9619 4")]
    public void No_question_is_malformed()
    {
        Served.Ask(new QueryMessage()).IsHeaderOnly("FORMERR");
        Served.Ask(new QueryMessage().WithOption(EdnsOptionCode.Cookie, "0102030405060708")).IsHeaderAndOpt("FORMERR");
    }

    [Fact, Trait("RFC", "9619 4")]
    public void Two_questions_are_malformed()
    {
        byte[] question = Query("www A").Question;
        Served.Ask(new QueryMessage { Question = [.. question, .. question], Counts = [2, 0, 0, 0] })
            .IsHeaderOnly("FORMERR");
    }

    [Fact, Trait("RFC", "1035 4.1.2")]
    public void A_question_that_is_cut_off_is_malformed()
    {
        byte[] query = Query("www A").ToOctets();
        for (int length = 12; length < query.Length; length++) Served.Ask(query[..length]).IsHeaderOnly("FORMERR");
    }

    [Fact, Trait("RFC", "1035 4.1.1")]
    public void Less_than_a_header_is_never_answered()
    {
        byte[] query = Query("www A").ToOctets();
        for (int length = 0; length < 12; length++) Assert.Null(Served.TryAsk(query[..length]));
    }

    [Theory, Trait("RFC", "1035 4.1")]
    [InlineData("00")]
    [InlineData("0000290000000000000000")]
    [InlineData("FFFFFFFF")]
    public void Octets_behind_the_message_are_ignored(string tail)
    {
        QueryMessage query = Query("www A"), longer = query with { Tail = WireOctets.Hex(tail) };
        Assert.Equal(Served.Ask(query).Octets, Served.Ask(longer).Octets);
        Assert.Equal(Served.Ask(query.WithEdns()).Octets, Served.Ask(longer.WithEdns()).Octets);
    }

    [Theory, Trait("RFC", "1035 4.1.4")]
    [InlineData("C00C", "a pointer to itself")]
    [InlineData("01 61 C00C", "a loop")]
    [InlineData("C00E", "a pointer forward")]
    [InlineData("C0FF", "a pointer behind the end")]
    [InlineData("C000", "a pointer into the header")]
    [InlineData("03 777777 C004", "a pointer into the header behind a label")]
    [InlineData("40 00", "an extended label")]
    [InlineData("41 01 61 00", "a bit-string label")]
    [InlineData("80 00", "a reserved label")]
    public void A_question_with_a_pointer_or_a_reserved_label_is_malformed(string name, string what)
    {
        byte[] question = [.. WireOctets.Hex(name), .. WireOctets.Hex("0001 0001")];
        Reply reply = Served.Ask(new QueryMessage { Question = question });
        Assert.True(reply.Header == "FORMERR", what);
        Assert.Equal(12, reply.Octets.Length);
    }

    [Fact, Trait("RFC", "1035 3.1")]
    public void A_name_of_255_octets_is_looked_up()
    {
        string labels = string.Join('.', Enumerable.Repeat(new string('n', 63), 3));
        Served.Ask($"{labels}.{new string('n', 61)}").Says("REFUSED");
        Ask($"{labels}.{new string('n', 47)} A").Says("NXDOMAIN aa", Soa);
    }

    [Fact, Trait("RFC", "1035 3.1")]
    public void A_name_of_256_octets_is_malformed()
    {
        byte[] label = [63, .. Enumerable.Repeat((byte)'n', 63)];
        byte[] question = [.. label, .. label, .. label, 62, .. label[1..63], 0, 0, 1, 0, 1];
        Served.Ask(new QueryMessage { Question = question }).IsHeaderOnly("FORMERR");
    }

    [Fact, Trait("RFC", "1035 3.1")]
    public void A_name_of_many_labels_is_a_name_like_any_other()
    {
        string deep = string.Join('.', Enumerable.Repeat("k", 120));
        Assert.Single(Ask($"{deep} A").Answer);
        Ask($"{deep[2..]} A").Says("NOERROR aa", Soa);
        Ask($"x.{deep[2..]} A").Says("NXDOMAIN aa", Soa);
        Served.Ask(string.Join('.', Enumerable.Repeat("k", 127))).Says("REFUSED");
    }

    [Theory, Trait("RFC", "1035 4.1.1")]
    [InlineData(1, 1, 0, 0)]
    [InlineData(1, 0, 1, 0)]
    [InlineData(1, 0, 0, 1)]
    [InlineData(1, 65535, 65535, 65535)]
    [InlineData(65535, 65535, 65535, 65535)]
    public void A_count_without_its_record_is_malformed(params int[] counts)
    {
        Served.Ask(Query("www A") with { Counts = counts }).IsHeaderOnly("FORMERR");
        Served.Ask(new QueryMessage { Counts = counts }).IsHeaderOnly("FORMERR");
    }

    [Theory, Trait("RFC", "6895 3.2")]
    [InlineData("NONE")]
    [InlineData("ANY")]
    [InlineData("CH")]
    [InlineData("HS")]
    [InlineData("CLASS0")]
    [InlineData("CLASS65280")]
    public void Other_classes_than_in_are_refused(string rrClass) => Ask($"www A {rrClass}").Says("REFUSED");

    [Theory, Trait("RFC", "4892")]
    [InlineData("version.bind", "dnsd 1")]
    [InlineData("version.server", "dnsd 1")]
    [InlineData("id.server", "ns1")]
    [InlineData("HOSTNAME.bind", "ns1")]
    public void The_server_tells_its_version_and_identity_as_configured(string name, string text)
    {
        ServedZones zones = WithOptions(new ResponderOptions { Identity = "ns1", Version = "dnsd 1" });
        zones.Ask($"{name} TXT CH").Says("NOERROR aa", $"answer {name}. 0 CH TXT \"{text}\"");
    }

    [Theory, Trait("RFC", "4892")]
    [InlineData("version.bind")]
    [InlineData("version.server")]
    [InlineData("id.server")]
    [InlineData("hostname.bind")]
    public void Version_and_identity_are_refused_where_they_are_off(string name) =>
        Served.Ask($"{name} TXT CH").Says("REFUSED");

    [Fact, Trait("RFC", "9824 3.5")]
    public void A_question_for_NXNAME_is_malformed_and_says_why()
    {
        Reply reply = Served.AskOverTcp(Query("www NXNAME").WithEdns());
        reply.Says("FORMERR");
        Assert.Equal(["ExtendedError 001E"], reply.Options);
    }

    [Theory, Trait("RFC", "6895 3.1")]
    [InlineData("OPT", "FORMERR")]
    [InlineData("TSIG", "FORMERR")]
    [InlineData("TKEY", "FORMERR")]
    [InlineData("NXNAME", "FORMERR")]
    [InlineData("MAILA", "NOTIMP")]
    [InlineData("MAILB", "NOTIMP")]
    public void Types_that_are_no_data_get_an_error(string type, string code) => Ask($"www {type}").Says(code);

    [Theory, Trait("RFC", "1035 4.1.1")]
    [InlineData(0)]
    [InlineData(0xFFFF)]
    [InlineData(0x1234)]
    public void A_malformed_query_keeps_its_id(int id) =>
        Assert.Equal(id, MessageHeader.Id(Served.Ask(new QueryMessage { Id = (ushort)id }).Octets));

    [Fact, Trait("RFC", "1035 4.2.1")]
    public void A_datagram_longer_than_its_room_is_malformed() =>
        Served.Ask(Query("www A").WithOption((EdnsOptionCode)100, new string('0', 4000))).IsHeaderOnly("FORMERR");

    [Theory, Trait("RFC", "5936 4.2")]
    [InlineData("AXFR", TransportKind.Udp)]
    [InlineData("IXFR", TransportKind.Udp)]
    [InlineData("AXFR", TransportKind.Tcp)]
    [InlineData("IXFR", TransportKind.Tcp)]
    public void A_transfer_is_refused(string type, TransportKind kind) =>
        Asked(Query($"@ {type}"), new DnsTransport(kind)).Says("REFUSED");

    [Theory, Trait("RFC", "8914 4.19")]
    [InlineData("AXFR")]
    [InlineData("IXFR")]
    public void A_transfer_that_is_refused_says_that_it_is_prohibited(string type)
    {
        Reply reply = Served.AskOverTcp(Query($"@ {type}").WithEdns());
        Assert.Equal("REFUSED", reply.Header);
        Assert.Equal(["ExtendedError 0012"], reply.Options);
    }

    [Theory, Trait("RFC", "5936 2.2.1")]
    [InlineData("www AXFR")]
    [InlineData("www IXFR")]
    [InlineData("nx AXFR")]
    [InlineData("host.sub AXFR")]
    [InlineData("www.elsewhere.net. AXFR")]
    public void A_transfer_of_what_is_no_zone_served_is_not_authoritative(string question)
    {
        Served.Ask(Query(question)).Says("NOTAUTH");
        Served.AskOverTcp(Query(question)).Says("NOTAUTH");
    }

    [Fact, Trait("RFC", "1035 4.1")]
    public void Records_in_a_query_change_nothing()
    {
        byte[] record = WireOctets.Record("a", RRType.A, 1, 60, [192, 0, 2, 1]);
        Served.Ask(Query("www A") with { Answer = [record], Authority = [record], Additional = [record] })
            .Says("NOERROR aa", "answer www.example.test. 3600 A 192.0.2.10");
    }

    private static Reply Asked(QueryMessage query, DnsTransport transport) =>
        transport.IsReliable ? Served.AskOverTcp(query) : Served.Ask(query);
}
