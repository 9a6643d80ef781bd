using Dns.Answering;
using Dns.Protocol;
using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class SizeTests
{
    [Theory, Trait("RFC", "1034 3.7")]
    [InlineData("_sip._tcp SRV", "www.example.test. 3600 A 192.0.2.10")]
    [InlineData("svc HTTPS", "mx1.example.test. 3600 A 192.0.2.40")]
    [InlineData("order NAPTR", "www.example.test. 3600 A 192.0.2.10")]
    public void Hosts_in_rdata_come_with_their_addresses(string question, string additional)
    {
        Reply reply = Ask(question);
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(additional, Assert.Single(reply.Additional).ToString());
    }

    [Fact, Trait("RFC", "2181 5.4.1")]
    public void Hosts_outside_the_zones_served_come_without_addresses()
    {
        Reply reply = Ask("mail MX");
        Assert.Equal(3, reply.Answer.Count);
        Assert.DoesNotContain(reply.Additional, record => record.Owner.ToString().EndsWith("elsewhere.net.", StringComparison.Ordinal));
    }

    [Fact, Trait("RFC", "2181 5")]
    public void A_host_that_two_records_name_is_added_once() =>
        Assert.Equal("mx1.example.test. 3600 A 192.0.2.40", Assert.Single(Ask("mail MX").Additional).ToString());

    [Fact, Trait("RFC", "1034 3.7")]
    public void The_addresses_of_at_most_sixteen_hosts_are_added()
    {
        Reply reply = Served.Ask(Query("many MX").WithEdns(4096));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(20, reply.Answer.Count);
        Assert.Equal(16, reply.Additional.Count);
    }

    [Fact, Trait("RFC", "2181 9")]
    public void Without_edns_an_rrset_that_does_not_fit_512_octets_is_left_out_whole()
    {
        Reply reply = Ask("big TXT");
        reply.Says("NOERROR aa tc");
        Assert.True(reply.Octets.Length <= 512);
    }

    [Theory, Trait("RFC", "6891 6.2.3")]
    [InlineData(512)]
    [InlineData(100)]
    [InlineData(0)]
    public void An_announced_size_of_512_or_less_counts_as_512(int payload)
    {
        Reply big = Served.Ask(Query("big TXT").WithEdns(payload));
        big.Says("NOERROR aa tc");
        Assert.NotNull(big.Opt);
        Assert.Equal("NOERROR aa", Served.Ask(Query("multi A").WithEdns(payload)).Header);
    }

    [Theory, Trait("RFC", "9715 3")]
    [InlineData(4096)]
    [InlineData(65535)]
    public void An_announced_size_does_not_raise_the_server_s_own_limit(int payload)
    {
        Reply reply = Served.Ask(Query("big TXT").WithEdns(payload));
        reply.Says("NOERROR aa tc");
        Assert.Equal(1232, reply.Payload);
    }

    [Fact, Trait("RFC", "6891 6.2.5")]
    public void The_operator_raises_the_limit()
    {
        Reply reply = WithOptions(new ResponderOptions { MaxUdpPayload = 8192 }).Ask(Query("big TXT").WithEdns(8192));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(60, reply.Answer.Count);
        Assert.Equal(8192, reply.Payload);
    }

    [Fact, Trait("RFC", "7766 8")]
    public void Over_tcp_the_same_answer_is_whole()
    {
        Reply reply = Served.AskOverTcp(Query("big TXT"));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(60, reply.Answer.Count);
    }

    [Fact, Trait("RFC", "6891 6.2.3")]
    public void An_announced_size_does_not_truncate_over_tcp() =>
        Assert.Equal(60, Served.AskOverTcp(Query("big TXT").WithEdns(512)).Answer.Count);

    [Fact, Trait("RFC", "1035 4.2.2")]
    public void An_rrset_that_no_message_can_hold_is_a_server_failure_over_tcp()
    {
        string records = string.Concat(Enumerable.Range(0, 700).Select(i => $"@ TXT \"{i:000}{new string('x', 97)}\"\n"));
        ServedZones zones = new(("huge.test", $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n{records}"));
        zones.AskOverTcp(QueryMessage.For("huge.test TXT")).Says("SERVFAIL");
        zones.Ask("huge.test TXT").Says("NOERROR aa tc");
    }

    [Fact, Trait("RFC", "2181 9")]
    public void Leaving_out_additional_data_does_not_truncate()
    {
        Reply whole = Served.Ask(Query("many MX").WithEdns()), cut = Ask("many MX");
        Assert.Equal("NOERROR aa", cut.Header);
        Assert.Equal(20, cut.Answer.Count);
        Assert.True(cut.Additional.Count < whole.Additional.Count);
    }

    [Theory, Trait("RFC", "2181 9")]
    [InlineData(true)]
    [InlineData(false)]
    public void An_answer_that_fills_the_room_to_the_last_octet_is_sent(bool fits)
    {
        // Header 12, question 10 + 4, OPT 11, record 12 and RDATA: 1,232 leave 1,183 for the RDATA.
        int rdata = fits ? 1183 : 1184;
        string text = $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n@ TYPE65280 \\# {rdata} {new string('0', rdata * 2)}\n";
        Reply reply = new ServedZones(("full.org", text)).Ask(QueryMessage.For("full.org TYPE65280").WithEdns());
        Assert.Equal(fits ? "NOERROR aa" : "NOERROR aa tc", reply.Header);
        if (fits) Assert.Equal(1232, reply.Octets.Length);
    }

    [Fact, Trait("RFC", "5001 2")]
    public void Options_that_do_not_fit_beside_the_longest_name_are_left_out()
    {
        ServedZones zones = new(new ResponderOptions { MaxUdpPayload = 512, Identity = new string('i', 255) }, (Apex, Whole));
        string longest = $"{string.Join('.', Enumerable.Repeat(new string('n', 63), 3))}.{new string('n', 47)}.{Apex}";
        QueryMessage query = QueryMessage.For(longest).WithOption(EdnsOptionCode.Nsid);
        Assert.Equal("NXDOMAIN aa", zones.Ask(query).Header);
        Assert.Equal("REFUSED", zones.Ask(query with { Question = WireOctets.Question(longest, RRType.A, RRClass.HS) }).Header);
        Assert.Equal("NOTAUTH", zones.Ask(query.With(WireOctets.Tsig("key", []))).Header);
    }

    [Fact, Trait("RFC", "2181 9")]
    public void Signatures_are_sent_whole_or_not_at_all()
    {
        string signature = $"RRSIG A 8 2 60 20300101000000 20200101000000 1 . {Convert.ToBase64String(new byte[256])}\n";
        string text = "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n@ A 192.0.2.1\n" + string.Concat(
            Enumerable.Range(1, 3).Select(tag => "@ " + signature.Replace("000 1 .", $"000 {tag} .")));
        ServedZones zones = new(("signed.test", text));
        zones.Ask("signed.test RRSIG").Says("NOERROR aa tc");
        zones.Ask(QueryMessage.For("signed.test").WithEdns(512, dnssecOk: true)).Says("NOERROR aa tc");
        Assert.Equal(4, zones.Ask(QueryMessage.For("signed.test").WithEdns(dnssecOk: true)).Answer.Count);
    }

    [Fact, Trait("RFC", "4035 3.1")]
    public void Without_the_dnssec_flag_no_signature_is_sent()
    {
        string text = "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n@ A 192.0.2.1\n"
            + "@ RRSIG A 8 2 60 20300101000000 20200101000000 1 . AAAA\n@ NSEC www A NS SOA RRSIG NSEC\n";
        ServedZones zones = new(("signed.test", text));
        zones.Ask("signed.test").Says("NOERROR aa", "answer signed.test. 60 A 192.0.2.1");
        Assert.Equal(["A", "RRSIG"], Types(zones.Ask(QueryMessage.For("signed.test").WithEdns(dnssecOk: true))));
        Assert.Equal(["RRSIG"], Types(zones.Ask("signed.test RRSIG")));
        Assert.Equal(["NSEC"], Types(zones.Ask("signed.test NSEC")));
    }

    private static IEnumerable<string> Types(Reply reply) => reply.Answer.Select(record => record.Type.ToString());
}
