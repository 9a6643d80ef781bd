using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class EdnsTests
{
    private static readonly ServedZones Named =
        WithOptions(new ResponderOptions { Identity = "ns1", Version = "dnsd 1" });

    [Fact, Trait("RFC", "6891 6.1.1")]
    public void A_query_with_opt_gets_an_opt_with_the_server_s_own_size()
    {
        Reply reply = Served.Ask(Query("@ SOA").WithEdns(4096));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(1232, reply.Payload);
        Assert.Equal(0u, reply.Opt!.Ttl);
        Assert.Empty(reply.Options);
    }

    [Theory, Trait("RFC", "6891 6.1.3")]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(255)]
    public void An_unknown_version_is_a_bad_version_without_data(int version)
    {
        Reply reply = Served.Ask(Query("www A").With(WireOctets.Opt(1232, version, 0)));
        reply.Says("BADVERS");
        Assert.Equal(0x01000000u, reply.Opt!.Ttl);
    }

    [Fact, Trait("RFC", "6891 6.1.2")]
    public void An_unknown_option_is_ignored_and_not_echoed()
    {
        Reply reply = Served.Ask(Query("www A").WithOption((EdnsOptionCode)100, "0102"));
        Assert.Single(reply.Answer);
        Assert.Empty(reply.Options);
    }

    [Fact, Trait("RFC", "6891 6.1.4")]
    public void Unknown_edns_flags_are_ignored_and_not_echoed()
    {
        Reply reply = Served.Ask(Query("www A").With(WireOctets.Opt(1232, 0, 0x7FFF)));
        Assert.Single(reply.Answer);
        Assert.Equal(0u, reply.Opt!.Ttl);
    }

    [Fact, Trait("RFC", "3225 3")]
    public void The_dnssec_flag_is_copied_also_for_an_unsigned_zone()
    {
        Reply reply = Served.Ask(Query("www A").WithEdns(dnssecOk: true));
        Assert.Single(reply.Answer);
        Assert.Equal(0x8000u, reply.Opt!.Ttl);
    }

    [Fact, Trait("RFC", "5001 2")]
    public void The_identity_is_told_when_asked_for_and_only_then()
    {
        Assert.Equal(["Nsid 6E7331"], Named.Ask(Query("www A").WithOption(EdnsOptionCode.Nsid)).Options);
        Assert.Empty(Named.Ask(Query("www A").WithEdns()).Options);
        Assert.Empty(Served.Ask(Query("www A").WithOption(EdnsOptionCode.Nsid)).Options);
    }

    [Theory, Trait("RFC", "7873 5.2")]
    [InlineData("0102030405060708")]
    [InlineData("010203")]
    [InlineData("01020304050607080102030405060708")]
    [InlineData("")]
    public void Without_cookies_one_of_any_length_is_ignored(string cookie)
    {
        Reply reply = Served.Ask(Query("www A").WithOption(EdnsOptionCode.Cookie, cookie));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Empty(reply.Options);
    }

    [Fact, Trait("RFC", "6891 6.1.1")]
    public void Two_opt_records_are_malformed() =>
        Served.Ask(Query("www A").WithEdns().WithEdns()).IsHeaderOnly("FORMERR");

    [Fact, Trait("RFC", "6891 6.1.2")]
    public void An_opt_with_a_name_is_malformed() =>
        Served.Ask(Query("www A").With(WireOctets.Record("a", RRType.OPT, 1232, 0, []))).IsHeaderOnly("FORMERR");

    [Theory, Trait("RFC", "6891 6.1.2")]
    [InlineData("000A0005 00")]
    [InlineData("000A00")]
    [InlineData("00")]
    public void An_option_past_the_end_of_opt_is_malformed(string rdata) =>
        Served.Ask(Query("www A").With(WireOctets.Record(".", RRType.OPT, 1232, 0, WireOctets.Hex(rdata))))
            .IsHeaderOnly("FORMERR");

    [Fact, Trait("RFC", "6891 6.1.2")]
    public void An_opt_past_the_end_of_the_message_is_malformed()
    {
        byte[] query = Query("www A").WithEdns().ToOctets();
        query[^1] = 1;
        Served.Ask(query).IsHeaderOnly("FORMERR");
    }

    [Fact, Trait("RFC", "6891 6.1.1")]
    public void An_opt_outside_the_additional_section_is_malformed()
    {
        byte[] opt = WireOctets.Opt(1232, 0, 0);
        Served.Ask(Query("www A") with { Answer = [opt] }).IsHeaderOnly("FORMERR");
        Served.Ask(Query("www A") with { Authority = [opt] }).IsHeaderOnly("FORMERR");
    }

    [Theory, Trait("RFC", "7871 7.2.1")]
    [InlineData("00010000")]
    [InlineData("00011800C00002")]
    [InlineData("00FF")]
    public void The_client_s_network_changes_nothing(string subnet)
    {
        Reply reply = Served.Ask(Query("www A").WithOption(EdnsOptionCode.ClientSubnet, subnet));
        Assert.Single(reply.Answer);
        Assert.Empty(reply.Options);
    }

    [Fact, Trait("RFC", "7314 3.2.1")]
    public void The_expire_timer_of_a_primary_is_that_of_the_soa()
    {
        Assert.Equal(["Expire 00127500"], Served.Ask(Query("@ SOA").WithOption(EdnsOptionCode.Expire)).Options);
        Assert.Empty(Served.Ask(Query("www A").WithOption(EdnsOptionCode.Expire)).Options);
        Assert.Empty(Served.Ask(Query("@ SOA").WithEdns()).Options);
    }

    [Fact, Trait("RFC", "7314 2")]
    public void The_expire_timer_is_that_of_the_SOA_of_the_name_asked_for() =>
        Assert.Empty(Served.Ask(Query("www SOA").WithOption(EdnsOptionCode.Expire)).Options);

    [Fact, Trait("RFC", "7828 3.2.1")]
    public void Keepalive_is_told_over_tcp_and_never_over_udp()
    {
        QueryMessage query = Query("www A").WithOption(EdnsOptionCode.TcpKeepalive);
        Assert.Equal(["TcpKeepalive 0064"], Served.AskOverTcp(query).Options);
        Assert.Empty(Served.Ask(query).Options);
        Assert.Empty(Served.AskOverTcp(Query("www A").WithEdns()).Options);
    }

    [Fact, Trait("RFC", "7828 3.2.1")]
    public void Keepalive_is_not_told_over_udp_in_an_error_either()
    {
        QueryMessage query = Query("www A").WithOption(EdnsOptionCode.TcpKeepalive).With(WireOctets.Tsig("key", []));
        Assert.Empty(Served.Ask(query).Options);
        Assert.Equal(["TcpKeepalive 0064"], Served.AskOverTcp(query).Options);
    }

    [Fact, Trait("RFC", "7830 3")]
    public void Padding_is_not_sent_in_the_clear()
    {
        QueryMessage query = Query("www A").WithOption(EdnsOptionCode.Padding, "00000000");
        Assert.Empty(Served.Ask(query).Options);
        Assert.Empty(Served.AskOverTcp(query).Options);
    }

    [Fact, Trait("RFC", "8914 4.21")]
    public void A_refusal_explains_itself_where_there_is_an_opt()
    {
        Reply reply = Served.Ask(Query("www.example.com. A").WithEdns());
        reply.Says("REFUSED");
        Assert.Equal(["ExtendedError 0014"], reply.Options);
    }

    [Fact, Trait("RFC", "6891 6.1.2")]
    public void Hundreds_of_options_do_not_disturb_the_answer()
    {
        byte[][] options =
        [
            .. Enumerable.Range(0, 400).Select(i => WireOctets.Option((EdnsOptionCode)(1000 + i), [])),
            .. Enumerable.Range(0, 50).Select(i => WireOctets.Option(EdnsOptionCode.KeyTag, [0, (byte)i])),
            .. Enumerable.Repeat(WireOctets.Option(EdnsOptionCode.Nsid, []), 50),
        ];
        Reply reply = Named.AskOverTcp(Query("www A").WithEdns(1232, false, options));
        Assert.Single(reply.Answer);
        Assert.Equal(["Nsid 6E7331"], reply.Options);
    }

    [Fact, Trait("RFC", "6891 7")]
    public void No_opt_is_sent_where_none_was_received()
    {
        Assert.Null(Ask("www A").Opt);
        Assert.Null(Ask("www.example.com. A").Opt);
        Assert.Null(Ask("www OPT").Opt);
    }

    [Fact, Trait("RFC", "9567 6")]
    public void No_agent_for_error_reports_is_named()
    {
        foreach (string question in (string[])["www A", "nx A", "www.example.com. A"])
            Assert.DoesNotContain(Served.Ask(Query(question).WithEdns()).Options,
                option => option.StartsWith("ReportChannel", StringComparison.Ordinal));
    }

    [Theory, Trait("RFC", "9660 3")]
    [InlineData("www A", "ZoneVersion 020000000007")]
    [InlineData("nx A", "ZoneVersion 020000000007")]
    [InlineData("@ SOA", "ZoneVersion 020000000007")]
    [InlineData("x.sub A", "ZoneVersion 020000000007")]
    [InlineData("www.child A", "ZoneVersion 03000000000B")]
    [InlineData("child DS", "ZoneVersion 020000000007")]
    public void The_version_of_the_zone_is_its_serial(string question, string option) =>
        Assert.Equal([option], Served.Ask(Query(question).WithOption(EdnsOptionCode.ZoneVersion)).Options);

    [Fact, Trait("RFC", "9660 3")]
    public void Where_no_zone_answers_no_version_is_told() =>
        Assert.Equal(
            ["ExtendedError 0014"],
            Served.Ask(Query("www.example.com. A").WithOption(EdnsOptionCode.ZoneVersion)).Options);

    [Theory, Trait("RFC", "6891 6.1.2")]
    [InlineData(EdnsOptionCode.Llq)]
    [InlineData(EdnsOptionCode.Dau)]
    [InlineData(EdnsOptionCode.Dhu)]
    [InlineData(EdnsOptionCode.N3u)]
    [InlineData(EdnsOptionCode.Chain)]
    [InlineData(EdnsOptionCode.KeyTag)]
    [InlineData(EdnsOptionCode.ReportChannel)]
    public void An_option_without_a_meaning_here_is_ignored(EdnsOptionCode code)
    {
        Reply reply = Named.Ask(Query("www A").WithOption(code, "0001"));
        Assert.Single(reply.Answer);
        Assert.Empty(reply.Options);
    }

    [Fact, Trait("RFC", "6891 6.1.2")]
    public void All_options_together_are_answered_each_once()
    {
        byte[][] options =
        [
            .. new[] { EdnsOptionCode.Nsid, EdnsOptionCode.Expire, EdnsOptionCode.TcpKeepalive,
                EdnsOptionCode.ZoneVersion }
                .Select(code => WireOctets.Option(code, [])),
        ];
        Assert.Equal(
            ["Nsid 6E7331", "TcpKeepalive 0064", "Expire 00127500", "ZoneVersion 020000000007"],
            Named.AskOverTcp(Query("@ SOA").WithEdns(1232, true, options)).Options);
    }
}
