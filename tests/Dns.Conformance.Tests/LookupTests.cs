using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class LookupTests
{
    [Fact, Trait("RFC", "1034 4.3.2")]
    public void An_existing_name_and_type_is_answered_with_authority() =>
        Ask("www A").Says("NOERROR aa", "answer www.example.test. 3600 A 192.0.2.10");

    [Fact, Trait("RFC", "4343")]
    public void The_question_comes_back_octet_for_octet_in_any_letter_case()
    {
        QueryMessage query = QueryMessage.For("wWw.ExAmPlE.TeSt");
        Reply reply = Served.Ask(query);
        reply.Says("NOERROR aa", "answer wWw.ExAmPlE.TeSt. 3600 A 192.0.2.10");
        Assert.Equal(query.Question, reply.Question);
    }

    [Fact, Trait("RFC", "4343")]
    public void A_name_stored_in_mixed_case_is_found() =>
        Ask("mixed A").Says("NOERROR aa", "answer mixed.example.test. 3600 A 192.0.2.11");

    [Fact, Trait("RFC", "2308 3")]
    public void A_missing_type_is_no_data_with_the_soa_at_the_lower_of_ttl_and_minimum() =>
        Ask("www TXT").Says("NOERROR aa", Soa);

    [Fact, Trait("RFC", "2308 3")]
    public void A_ttl_of_the_soa_below_its_minimum_is_that_of_the_negative_answer()
    {
        ServedZones zones = new(("low.test", "$TTL 60\n@ SOA ns host 1 2 3 4 900\n@ NS ns.other.test.\n"));
        zones.Ask("nx.low.test")
            .Says("NXDOMAIN aa", "authority low.test. 60 SOA ns.low.test. host.low.test. 1 2 3 4 900");
    }

    [Fact, Trait("RFC", "2308 2.1")]
    public void A_missing_name_is_a_name_error_with_the_soa() => Ask("nx A").Says("NXDOMAIN aa", Soa);

    [Fact, Trait("RFC", "8020")]
    public void A_name_below_a_leaf_is_a_name_error() => Ask("a.b.www A").Says("NXDOMAIN aa", Soa);

    [Theory, Trait("RFC", "8020")]
    [InlineData("b.a A")]
    [InlineData("a A")]
    public void An_empty_non_terminal_is_no_data(string question) => Ask(question).Says("NOERROR aa", Soa);

    [Theory, Trait("RFC", "1034 4.3.2")]
    [InlineData("www.example.com. A")]
    [InlineData("test. SOA")]
    [InlineData(". NS")]
    public void A_name_in_no_zone_served_is_refused_without_a_referral(string question) =>
        Ask(question).Says("REFUSED");

    [Fact, Trait("RFC", "1034 4.3.2")]
    public void Name_servers_of_the_apex_come_with_their_addresses() =>
        Ask("@ NS").Says(
            "NOERROR aa",
            "answer example.test. 3600 NS ns1.example.test.",
            "answer example.test. 3600 NS ns.elsewhere.net.",
            "additional ns1.example.test. 3600 A 192.0.2.1",
            "additional ns1.example.test. 3600 AAAA 2001:db8::1");

    [Fact, Trait("RFC", "2181 5")]
    public void An_rrset_is_answered_whole_with_one_ttl() =>
        Ask("multi A").Says(
            "NOERROR aa",
            "answer multi.example.test. 3600 A 192.0.2.21",
            "answer multi.example.test. 3600 A 192.0.2.22",
            "answer multi.example.test. 3600 A 192.0.2.23");

    [Fact, Trait("RFC", "3597 3")]
    public void An_unknown_type_is_served_octet_for_octet() =>
        Ask("odd TYPE65280").Says("NOERROR aa", "answer odd.example.test. 3600 TYPE65280 \\# 4 DEADBEEF");

    [Fact, Trait("RFC", "3597 3")]
    public void An_unknown_type_without_any_octets_is_served() =>
        Ask("odd TYPE65281").Says("NOERROR aa", "answer odd.example.test. 3600 TYPE65281 \\# 0");

    [Theory, Trait("RFC", "3597")]
    [InlineData("www TYPE666")]
    [InlineData("www TYPE0")]
    [InlineData("www TYPE65535")]
    public void An_unknown_type_that_is_not_there_is_no_data(string question) => Ask(question).Says("NOERROR aa", Soa);

    [Fact, Trait("RFC", "8482 4.1")]
    public void Any_over_udp_is_answered_with_one_rrset() =>
        Ask("ns1 ANY").Says("NOERROR aa", "answer ns1.example.test. 3600 A 192.0.2.1");

    [Fact, Trait("RFC", "8482 4")]
    public void Any_over_tcp_is_answered_with_everything() =>
        Served.AskOverTcp(Query("ns1 ANY")).Says(
            "NOERROR aa", "answer ns1.example.test. 3600 A 192.0.2.1",
            "answer ns1.example.test. 3600 AAAA 2001:db8::1");

    [Fact, Trait("RFC", "8482 4")]
    public void Any_over_udp_is_answered_with_everything_where_the_operator_wants_it()
    {
        ServedZones zones = WithOptions(new ResponderOptions { MinimalAny = false });
        Assert.Equal(2, zones.Ask(Query("ns1 ANY")).Answer.Count);
    }

    [Fact, Trait("RFC", "8482")]
    public void Any_at_an_empty_non_terminal_is_no_data() => Ask("b.a ANY").Says("NOERROR aa", Soa);

    [Fact, Trait("RFC", "8482")]
    public void Any_at_a_missing_name_is_a_name_error() => Ask("nx ANY").Says("NXDOMAIN aa", Soa);

    [Fact, Trait("RFC", "8482")]
    public void Any_at_an_alias_gives_the_alias_and_does_not_follow_it() =>
        Ask("alias ANY").Says("NOERROR aa", "answer alias.example.test. 3600 CNAME www.example.test.");

    [Fact, Trait("RFC", "4035 3.1")]
    public void Signatures_of_an_unsigned_zone_are_no_data() => Ask("www RRSIG").Says("NOERROR aa", Soa);

    [Theory, Trait("RFC", "2181 8")]
    [InlineData("zero", 0)]
    [InlineData("longest", 2147483647)]
    [InlineData("overlong", 0)]
    public void Ttls_are_served_unchanged_and_too_large_ones_as_zero(string name, uint ttl) =>
        Assert.Equal(ttl, Assert.Single(Ask(name).Answer).Ttl);

    [Theory, Trait("RFC", "2181 11")]
    [InlineData("nul\\000x", "192.0.2.33")]
    [InlineData("a\\032b", "192.0.2.34")]
    [InlineData("do\\.t", "192.0.2.35")]
    public void Labels_hold_any_octet(string name, string address) =>
        Ask(name).Says("NOERROR aa", $"answer {name}.example.test. 3600 A {address}");

    [Fact, Trait("RFC", "1035 3.1")]
    public void A_dot_in_a_label_is_no_border() => Ask("do.t A").Says("NXDOMAIN aa", Soa);

    [Fact, Trait("RFC", "1034 4.3.2")]
    public void Of_parent_and_child_zone_the_child_answers_below_the_cut() =>
        Ask("www.child A").Says("NOERROR aa", "answer www.child.example.test. 600 A 192.0.2.81");

    [Fact, Trait("RFC", "7505")]
    public void A_null_mx_gets_no_address() =>
        Ask("nomail MX").Says("NOERROR aa", "answer nomail.example.test. 3600 MX 0 .");

    [Fact, Trait("RFC", "8914 4.15")]
    public void A_zone_that_is_still_loading_is_a_server_failure_that_says_so()
    {
        ServedZones zones = new(new ResponderOptions(), new ZoneSlot(DomainName.Parse("slow.test")));
        Reply reply = zones.Ask(QueryMessage.For("www.slow.test").WithEdns());
        reply.Says("SERVFAIL");
        Assert.Equal(["ExtendedError 000E"], reply.Options);
    }

    [Fact, Trait("RFC", "1035 3.3.13")]
    public void An_expired_zone_is_a_server_failure_that_says_so_until_new_data_comes()
    {
        ZoneSlot slot = ServedZones.SlotOf("old.test", "@ 60 SOA ns host 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n");
        Zone data = slot.Zone!;
        ServedZones zones = new(new ResponderOptions(), slot);
        slot.Expire("no primary has answered for 4 seconds");
        Reply reply = zones.Ask(QueryMessage.For("ns.old.test").WithEdns());
        reply.Says("SERVFAIL");
        Assert.Equal(["ExtendedError 0018"], reply.Options);
        slot.Publish(data);
        zones.Ask("ns.old.test").Says("NOERROR aa", "answer ns.old.test. 60 A 192.0.2.1");
    }

    [Fact, Trait("RFC", "8914 4.25")]
    public void A_zone_that_could_not_be_loaded_is_a_server_failure_that_says_so()
    {
        ZoneSlot slot = new(DomainName.Parse("broken.test"));
        slot.Fail("no SOA");
        Reply reply = new ServedZones(new ResponderOptions(), slot).Ask(QueryMessage.For("broken.test SOA").WithEdns());
        reply.Says("SERVFAIL");
        Assert.Equal(["ExtendedError 0018"], reply.Options);
    }

    [Fact, Trait("RFC", "1034 4.3.2")]
    public void A_zone_whose_reload_fails_is_served_from_its_last_data()
    {
        ZoneSlot slot =
            ServedZones.SlotOf("kept.test", "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n@ A 192.0.2.1\n");
        slot.Fail("line 3");
        Assert.Single(new ServedZones(new ResponderOptions(), slot).Ask("kept.test A").Answer);
    }

    [Fact, Trait("RFC", "1794")]
    public void Records_rotate_only_where_the_operator_wants_it()
    {
        QueryMessage first = Query("multi A") with { Id = 3 }, second = Query("multi A") with { Id = 4 };
        Assert.Equal(Served.Ask(first).ToString(), Served.Ask(second).ToString());
        ServedZones rotating = WithOptions(new ResponderOptions { RotateRRsets = true });
        Assert.Equal(["192.0.2.21", "192.0.2.22", "192.0.2.23"], Addresses(rotating.Ask(first)));
        Assert.Equal(["192.0.2.22", "192.0.2.23", "192.0.2.21"], Addresses(rotating.Ask(second)));
    }

    [Fact, Trait("RFC", "2181 5.2")]
    public void Rotation_keeps_names_in_rdata_whole()
    {
        ServedZones rotating = WithOptions(new ResponderOptions { RotateRRsets = true });
        for (ushort id = 1; id < 22; id++)
            Assert.Equal(20, rotating.Ask(Query("many MX").WithEdns() with { Id = id }).Answer.Count);
    }

    private static IEnumerable<string> Addresses(Reply reply) => reply.Answer.Select(record => record.RdataText);
}
