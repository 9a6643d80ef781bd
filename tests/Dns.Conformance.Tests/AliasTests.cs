using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class AliasTests
{
    private const string Alias = "answer alias.example.test. 3600 CNAME www.example.test.";
    private const string Www = "answer www.example.test. 3600 A 192.0.2.10";
    private const string Dname = "answer dn.example.test. 3600 DNAME target.example.test.";

    [Fact, Trait("RFC", "1034 3.6.2")]
    public void A_chain_of_aliases_is_answered_link_by_link()
    {
        Ask("alias A").Says("NOERROR aa", Alias, Www);
        Ask("alias2 A").Says("NOERROR aa", "answer alias2.example.test. 3600 CNAME alias.example.test.", Alias, Www);
    }

    [Fact, Trait("RFC", "1034 3.6.2")]
    public void An_alias_asked_for_by_type_is_not_followed() =>
        Ask("alias2 CNAME").Says("NOERROR aa", "answer alias2.example.test. 3600 CNAME alias.example.test.");

    [Fact, Trait("RFC", "6604")]
    public void An_alias_to_a_missing_name_is_a_name_error() =>
        Ask("aliasnx A").Says("NXDOMAIN aa", "answer aliasnx.example.test. 3600 CNAME nx.example.test.", Soa);

    [Fact, Trait("RFC", "2308 2.2")]
    public void An_alias_to_a_name_without_the_type_is_no_data() =>
        Ask("aliasno A").Says("NOERROR aa", "answer aliasno.example.test. 3600 CNAME mail.example.test.", Soa);

    [Fact, Trait("RFC", "1034 4.3.2")]
    public void An_alias_out_of_the_zones_served_ends_the_answer() =>
        Ask("aliasout A").Says("NOERROR aa", "answer aliasout.example.test. 3600 CNAME www.elsewhere.net.");

    [Fact, Trait("RFC", "1034 4.3.2")]
    public void An_alias_into_a_delegation_has_the_servers_of_the_cut_and_their_addresses() =>
        Ask("aliassub A").Says(
            "NOERROR aa", "answer aliassub.example.test. 3600 CNAME host.sub.example.test.",
            "authority sub.example.test. 3600 NS ns.sub.example.test.",
            "authority sub.example.test. 3600 NS ns2.sub.example.test.",
            "additional ns.sub.example.test. 3600 A 192.0.2.70",
            "additional ns.sub.example.test. 3600 AAAA 2001:db8::70",
            "additional ns2.sub.example.test. 3600 A 192.0.2.71");

    [Fact, Trait("RFC", "2181 9")]
    public void Servers_of_a_cut_behind_an_alias_that_do_not_fit_truncate()
    {
        string servers =
            string.Concat(Enumerable.Range(0, 13).Select(i => $"kid NS a-long-name-of-a-server-{i}.kid\n"));
        ServedZones zones = new(
            ("big.test", $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\nto CNAME www.kid\n{servers}"));
        Assert.Equal("NOERROR aa tc", zones.Ask("to.big.test").Header);
        Assert.Equal(13, zones.AskOverTcp(QueryMessage.For("to.big.test")).Authority.Count);
    }

    [Fact, Trait("RFC", "1034 4.3.2")]
    public void An_alias_into_another_zone_served_is_followed() =>
        Ask("aliaskid A").Says(
            "NOERROR aa", "answer aliaskid.example.test. 3600 CNAME www.child.example.test.",
            "answer www.child.example.test. 600 A 192.0.2.81");

    [Fact, Trait("RFC", "1034 3.6.2")]
    public void A_loop_of_aliases_ends_with_each_of_them_once()
    {
        Ask("loop1 A").Says(
            "NOERROR aa", "answer loop1.example.test. 3600 CNAME loop2.example.test.",
            "answer loop2.example.test. 3600 CNAME loop1.example.test.");
        Ask("self A").Says("NOERROR aa", "answer self.example.test. 3600 CNAME self.example.test.");
    }

    [Fact, Trait("RFC", "1034 3.6.2")]
    public void A_long_chain_of_aliases_is_cut_at_sixteen()
    {
        Reply reply = Served.Ask(Query("chain0 A").WithEdns());
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(Enumerable.Range(1, 16).Select(i => $"chain{i}.example.test."),
            reply.Answer.Select(record => record.RdataText));
        Assert.Equal(10, Ask("chain16 A").Answer.Count);
    }

    [Fact, Trait("RFC", "1034 3.6.2")]
    public void A_chain_of_ten_thousand_aliases_is_cut_like_any_other()
    {
        string links = string.Concat(Enumerable.Range(0, 10_000).Select(i => $"l{i} CNAME l{i + 1}\n"));
        ServedZones zones = new(("long.test", $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\n{links}"));
        Assert.Equal(16, zones.AskOverTcp(QueryMessage.For("l0.long.test")).Answer.Count);
    }

    [Fact, Trait("RFC", "6672 3.2")]
    public void Below_a_dname_the_answer_is_the_dname_a_cname_of_its_ttl_and_the_target() =>
        Ask("host.dn A").Says(
            "NOERROR aa", Dname, "answer host.dn.example.test. 3600 CNAME host.target.example.test.",
            "answer host.target.example.test. 3600 A 192.0.2.50");

    [Fact, Trait("RFC", "6672 3.1")]
    public void The_prefix_of_a_redirected_name_keeps_its_spelling() =>
        Assert.Contains("answer HoSt.dn.example.test. 3600 CNAME HoSt.target.example.test.", Ask("HoSt.dn A").Lines);

    [Fact, Trait("RFC", "6672 2.3")]
    public void The_owner_of_a_dname_is_not_redirected()
    {
        Ask("dn TXT").Says("NOERROR aa", "answer dn.example.test. 3600 TXT \"at the owner\"");
        Ask("dn DNAME").Says("NOERROR aa", Dname);
        Ask("dn A").Says("NOERROR aa", Soa);
    }

    [Fact, Trait("RFC", "6672 3.2")]
    public void A_dname_to_a_missing_name_is_a_name_error() =>
        Ask("nohost.dn A").Says(
            "NXDOMAIN aa", Dname, "answer nohost.dn.example.test. 3600 CNAME nohost.target.example.test.", Soa);

    [Fact, Trait("RFC", "6672 3.2")]
    public void A_dname_out_of_the_zones_served_ends_the_answer() =>
        Ask("foo.dnout A").Says(
            "NOERROR aa", "answer dnout.example.test. 3600 DNAME elsewhere.net.",
            "answer foo.dnout.example.test. 3600 CNAME foo.elsewhere.net.");

    [Fact, Trait("RFC", "6672 2.2")]
    public void A_substitution_of_more_than_255_octets_is_refused_as_an_existing_name()
    {
        string prefix = string.Join('.', Enumerable.Repeat(new string('p', 50), 3));
        Reply reply = Ask($"{prefix}.dnlong A");
        Assert.Equal("YXDOMAIN aa", reply.Header);
        Assert.Equal("DNAME", Assert.Single(reply.Answer).Type.ToString());
        Assert.Empty(reply.Authority);
    }

    [Fact, Trait("RFC", "6672 2.2")]
    public void A_substitution_of_exactly_255_octets_is_made()
    {
        // The target has 114 octets; two labels of 64 and one of 13 make 255 of it.
        string twoLabels = new string('p', 63) + '.' + new string('p', 63);
        Reply reply = Served.Ask(Query($"{twoLabels}.{new string('p', 12)}.dnlong A").WithEdns());
        Assert.Equal("NXDOMAIN aa", reply.Header);
        Assert.Equal(255, WireOctets.Name(reply.Answer[1].RdataText).Length);
        Assert.Equal("YXDOMAIN aa", Ask($"{twoLabels}.{new string('p', 13)}.dnlong A").Header);
    }

    [Fact, Trait("RFC", "6672 3.2")]
    public void An_alias_asked_for_below_a_dname_is_not_followed() =>
        Ask("host.dn CNAME")
            .Says("NOERROR aa", Dname, "answer host.dn.example.test. 3600 CNAME host.target.example.test.");

    [Fact, Trait("RFC", "8482")]
    public void Any_below_a_dname_gives_dname_and_cname() =>
        Ask("host.dn ANY")
            .Says("NOERROR aa", Dname, "answer host.dn.example.test. 3600 CNAME host.target.example.test.");

    [Fact, Trait("RFC", "6672 3.2")]
    public void A_cname_to_a_name_below_a_dname_is_followed_through_it() =>
        Ask("toDn A").Says(
            "NOERROR aa", "answer toDn.example.test. 3600 CNAME host.dn.example.test.", Dname,
            "answer host.dn.example.test. 3600 CNAME host.target.example.test.",
            "answer host.target.example.test. 3600 A 192.0.2.50");

    [Fact, Trait("RFC", "2181 5")]
    public void A_dname_that_is_asked_for_and_led_through_is_answered_once() =>
        Ask("back.dnback DNAME").Says(
            "NOERROR aa", "answer dnback.example.test. 3600 DNAME target.example.test.",
            "answer back.dnback.example.test. 3600 CNAME back.target.example.test.",
            "answer back.target.example.test. 3600 CNAME dnback.example.test.");

    [Fact, Trait("RFC", "6672 3.2")]
    public void A_dname_that_shortens_a_name_is_followed_again() =>
        Ask("www.x.x.x A").Says(
            "NOERROR aa", "answer x.example.test. 3600 DNAME example.test.",
            "answer www.x.x.x.example.test. 3600 CNAME www.x.x.example.test.",
            "answer www.x.x.example.test. 3600 CNAME www.x.example.test.",
            "answer www.x.example.test. 3600 CNAME www.example.test.",
            "answer www.example.test. 3600 A 192.0.2.10");

    [Fact, Trait("RFC", "6672 5.1")]
    public void A_dname_that_leads_back_below_itself_ends()
    {
        Reply reply = Ask("a.dnloop A");
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(["DNAME", "CNAME"], reply.Answer.Select(record => record.Type.ToString()));
    }

    [Theory, Trait("RFC", "2181 5")]
    [InlineData("round.longer", "DNAME, CNAME, CNAME")]
    [InlineData("on.longer", "DNAME, CNAME, CNAME, CNAME, A")]
    public void A_dname_that_an_alias_leads_back_to_is_followed_for_other_names_alone(string name, string types)
    {
        ServedZones zones = new(("example.test", """
            @ 300 SOA ns admin 1 2 3 4 5
            @ 300 NS ns
            ns 300 A 192.0.2.53
            longer 300 DNAME d
            round.d 300 CNAME round.longer
            on.d 300 CNAME host.longer
            host.d 300 A 192.0.2.1
            """));
        Assert.Equal(types,
            string.Join(", ", zones.Ask($"{name}.example.test A").Answer.Select(record => record.Type)));
    }
}
