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
        Assert.DoesNotContain(reply.Additional,
            record => record.Owner.ToString().EndsWith("elsewhere.net.", StringComparison.Ordinal));
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
        string records =
            string.Concat(Enumerable.Range(0, 700).Select(i => $"@ TXT \"{i:000}{new string('x', 97)}\"\n"));
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
        string text =
            $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n@ TYPE65280 \\# {rdata} " +
                $"{new string('0', rdata * 2)}\n";
        Reply reply = new ServedZones(("full.org", text)).Ask(QueryMessage.For("full.org TYPE65280").WithEdns());
        Assert.Equal(fits ? "NOERROR aa" : "NOERROR aa tc", reply.Header);
        if (fits) Assert.Equal(1232, reply.Octets.Length);
    }

    [Theory, Trait("RFC", "2181 9")]
    [InlineData(RRType.NS, true)]
    [InlineData(RRType.NS, false)]
    [InlineData(RRType.PTR, true)]
    [InlineData(RRType.PTR, false)]
    [InlineData(RRType.MX, true)]
    [InlineData(RRType.MX, false)]
    public void An_answer_of_names_that_fills_the_room_to_the_last_octet_is_sent(RRType type, bool fits)
    {
        // Header 12, question 10 + 4 and OPT 11 leave 1,195 of 1,232: five records of 239, whose names share nothing.
        int prefix = type == RRType.MX ? 2 : 0;
        string records = string.Concat(Enumerable.Range(0, 5).Select(i =>
            $"@ {type} {(type == RRType.MX ? "10 " : "")}{NameOf(239 - 12 - prefix + (i == 4 && !fits ? 1 : 0), (char)('a' + i))}\n"));
        string servers = type == RRType.NS ? "" : "@ NS ns.other.test.\n";
        Reply reply = new ServedZones(("full.org", $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n{servers}{records}"))
            .Ask(QueryMessage.For($"full.org {type}").WithEdns());
        Assert.Equal(fits ? "NOERROR aa" : "NOERROR aa tc", reply.Header);
        Assert.Equal(fits ? 5 : 0, reply.Answer.Count);
        if (fits) Assert.Equal(1232, reply.Octets.Length);
    }

    [Theory, Trait("RFC", "7314 3.2.1")]
    [InlineData(true)]
    [InlineData(false)]
    public void Room_for_the_expire_timer_is_kept_free(bool fits)
    {
        // Header 12, question 10 + 4, OPT 11 + 8, record 12 and numbers 20 leave 435 of 512 for the names of the SOA.
        string names = $"{NameOf(255, 'a')} {NameOf(fits ? 180 : 181, 'b')}";
        Reply reply = new ServedZones(("full.org", $"$TTL 60\n@ SOA {names} 1 2 3 4 5\n@ NS ns.other.test.\n"))
            .Ask(QueryMessage.For("full.org SOA").WithEdns(512, false, WireOctets.Option(EdnsOptionCode.Expire, [])));
        Assert.Equal(fits ? "NOERROR aa" : "NOERROR aa tc", reply.Header);
        Assert.Equal(["Expire 00000004"], reply.Options);
        if (fits) Assert.Equal(512, reply.Octets.Length);
    }

    [Theory, Trait("RFC", "5001 2")]
    [InlineData(true)]
    [InlineData(false)]
    public void Room_for_the_identity_is_kept_free(bool fits)
    {
        // Header 12, question 10 + 4, OPT 11, NSID 4 + 100, record 12 and numbers 20 leave 339 of 512 for the names of
        // the SOA.
        string names = $"{NameOf(255, 'a')} {NameOf(fits ? 84 : 85, 'b')}";
        ServedZones zones = new(
            new ResponderOptions { Identity = new string('i', 100) },
            ("full.org", $"$TTL 60\n@ SOA {names} 1 2 3 4 5\n@ NS ns.other.test.\n"));
        Reply reply = zones
            .Ask(QueryMessage.For("full.org SOA").WithEdns(512, false, WireOctets.Option(EdnsOptionCode.Nsid, [])));
        Assert.Equal(fits ? "NOERROR aa" : "NOERROR aa tc", reply.Header);
        Assert.Single(reply.Options);
        if (fits) Assert.Equal(512, reply.Octets.Length);
    }

    [Theory, Trait("RFC", "2308 3")]
    [InlineData(true)]
    [InlineData(false)]
    public void A_negative_answer_that_fills_the_room_to_the_last_octet_is_sent(bool fits)
    {
        // Header 12, question 12 + 4, record 12, numbers 20 and two pointers leave 448 of 512 for the labels of the
        // SOA's names.
        string names = $"{NameOf(246, 'a')}full.org. {NameOf(fits ? 204 : 205, 'b')}full.org.";
        ServedZones zones = new(("full.org", $"$TTL 60\n@ SOA {names} 1 2 3 4 5\n@ NS ns.other.test.\n"));
        Reply reply = zones.Ask("x.full.org");
        Assert.Equal(fits ? "NXDOMAIN aa" : "NXDOMAIN aa tc", reply.Header);
        Assert.Equal(fits ? 1 : 0, reply.Authority.Count);
        if (fits) Assert.Equal(512, reply.Octets.Length);
    }

    [Fact, Trait("RFC", "1035 4.1.4")]
    public void No_name_points_to_one_whose_records_did_not_fit()
    {
        string addresses = string.Concat(Enumerable.Range(0, 40).Select(i => $"h1.a A 192.0.2.{i}\n"));
        ServedZones zones = new(("z.test",
            $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\ns SRV 0 0 1 h1.a\ns SRV 0 0 1 h2.a\n" +
                $"{addresses}h2.a A 192.0.2.99\n"));
        Assert.Equal("h2.a.z.test. 60 A 192.0.2.99", Assert.Single(zones.Ask("s.z.test SRV").Additional).ToString());
    }

    [Fact, Trait("RFC", "5001 2")]
    public void Options_that_do_not_fit_beside_the_longest_name_are_left_out()
    {
        ServedZones zones =
            new(new ResponderOptions { MaxUdpPayload = 512, Identity = new string('i', 255) }, (Apex, Whole));
        string longest = $"{string.Join('.', Enumerable.Repeat(new string('n', 63), 3))}.{new string('n', 47)}.{Apex}";
        QueryMessage query = QueryMessage.For(longest).WithOption(EdnsOptionCode.Nsid);
        (QueryMessage Query, string Header)[] cases =
        [
            (query, "NXDOMAIN aa"),
            (query with { Question = WireOctets.Question(longest, RRType.A, RRClass.HS) }, "REFUSED"),
            (query.With(WireOctets.Tsig("key", [])), "NOTAUTH"),
        ];
        Assert.All(cases, one =>
        {
            Reply reply = zones.Ask(one.Query);
            Assert.Equal(one.Header, reply.Header);
            Assert.Empty(reply.Options);
            Assert.InRange(reply.Octets.Length, 12, 512);
        });
    }

    [Theory, Trait("RFC", "8914 2")]
    [InlineData(true)]
    [InlineData(false)]
    public void An_extended_error_that_does_not_fit_is_left_out(bool fits)
    {
        // Header 12, name 225, type and class 4, OPT 11, NSID 4 + 250 and the extended error 4 + 2 make 512.
        ServedZones zones =
            new(new ResponderOptions { MaxUdpPayload = 512, Identity = new string('i', 250) }, (Apex, Whole));
        Reply reply = zones.Ask(QueryMessage.For(NameOf(fits ? 225 : 226, 'n')).WithOption(EdnsOptionCode.Nsid));
        Assert.Equal("REFUSED", reply.Header);
        Assert.Equal(fits ? ["Nsid", "ExtendedError"] : ["Nsid"], reply.Options.Select(option => option.Split(' ')[0]));
        Assert.Equal(fits ? 512 : 507, reply.Octets.Length);
    }

    [Fact, Trait("RFC", "1034 4.2.1")]
    public void Glue_of_another_zone_served_is_no_address_of_a_host()
    {
        ServedZones zones = new(
            ("a.test",
                "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n@ MX 10 ns.sub.b.test.\n@ MX 20 www.b.test.\n"),
            ("b.test",
                "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\nsub NS ns.sub\nns.sub A 192.0.2.1\nwww A " +
                    "192.0.2.2\n"));
        Assert.Equal("www.b.test. 60 A 192.0.2.2", Assert.Single(zones.Ask("a.test MX").Additional).ToString());
    }

    [Fact, Trait("RFC", "2181 9")]
    public void Signatures_are_sent_whole_or_not_at_all()
    {
        string signature =
            $"RRSIG A 8 2 60 20300101000000 20200101000000 1 . {Convert.ToBase64String(new byte[256])}\n";
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

    [Fact, Trait("RFC", "4034 3")]
    public void The_signature_of_a_negative_answer_has_the_TTL_of_its_SOA()
    {
        string text = "@ 3600 SOA ns host 1 2 3 4 300\n@ 3600 NS ns.other.test.\n"
            + "@ 3600 RRSIG SOA 8 2 3600 20300101000000 20200101000000 1 . AAAA\n";
        ServedZones zones = new(("signed.test", text));
        Reply reply = zones.Ask(QueryMessage.For("nx.signed.test").WithEdns(dnssecOk: true));
        Assert.Equal(["SOA 300", "RRSIG 300"], reply.Authority.Select(record => $"{record.Type} {record.Ttl}"));
        reply = zones.Ask(QueryMessage.For("signed.test SOA").WithEdns(dnssecOk: true));
        Assert.Equal(["SOA 3600", "RRSIG 3600"], reply.Answer.Select(record => $"{record.Type} {record.Ttl}"));
    }

    /// <summary>A name of so many octets, all of one letter.</summary>
    private static string NameOf(int octets, char letter)
    {
        string name = "";
        for (int left = octets - 1; left > 0;)
        {
            int taken = Math.Min(left, 64);
            if (left - taken == 1) taken--;
            name += new string(letter, taken - 1) + ".";
            left -= taken;
        }
        return name;
    }

    private static IEnumerable<string> Types(Reply reply) => reply.Answer.Select(record => record.Type.ToString());
}
