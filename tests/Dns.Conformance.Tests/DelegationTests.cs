using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class DelegationTests
{
    private static readonly string[] Referral =
    [
        "NOERROR",
        "authority sub.example.test. 3600 NS ns.sub.example.test.",
        "authority sub.example.test. 3600 NS ns2.sub.example.test.",
        "additional ns.sub.example.test. 3600 A 192.0.2.70",
        "additional ns.sub.example.test. 3600 AAAA 2001:db8::70",
        "additional ns2.sub.example.test. 3600 A 192.0.2.71",
    ];

    [Fact, Trait("RFC", "1034 4.3.2")]
    public void Below_a_cut_the_answer_is_a_referral_with_glue() => Ask("host.sub A").Says(Referral);

    [Theory, Trait("RFC", "1034 4.2.1")]
    [InlineData("sub A")]
    [InlineData("sub NS")]
    [InlineData("sub SOA")]
    [InlineData("sub ANY")]
    public void At_a_cut_the_answer_is_a_referral(string question) => Ask(question).Says(Referral);

    [Theory, Trait("RFC", "2181 6.1")]
    [InlineData("ns.sub A")]
    [InlineData("occluded.sub A")]
    [InlineData("x.occluded.sub A")]
    public void Glue_and_occluded_names_are_no_answers(string question) => Ask(question).Says(Referral);

    [Fact, Trait("RFC", "1034 4.2.1")]
    public void Servers_outside_come_without_addresses() =>
        Ask("x.noglue A").Says("NOERROR", "authority noglue.example.test. 3600 NS ns.elsewhere.net.");

    [Fact, Trait("RFC", "9471 3.2")]
    public void Addresses_of_servers_in_a_sibling_are_added() =>
        Ask("x.sib A").Says(
            "NOERROR", "authority sib.example.test. 3600 NS ns.sub.example.test.",
            "additional ns.sub.example.test. 3600 A 192.0.2.70",
            "additional ns.sub.example.test. 3600 AAAA 2001:db8::70");

    [Fact, Trait("RFC", "9471 3.1")]
    public void Glue_of_the_child_that_does_not_fit_truncates()
    {
        string text = Glue("kid", "kid");
        Reply reply = new ServedZones(("big.test", text)).Ask("www.kid.big.test");
        Assert.Equal("NOERROR tc", reply.Header);
        Assert.Equal(13, reply.Authority.Count);
        Reply whole = new ServedZones(("big.test", text)).AskOverTcp(QueryMessage.For("www.kid.big.test"));
        Assert.Equal("NOERROR", whole.Header);
        Assert.Equal(26, whole.Additional.Count);
    }

    [Fact, Trait("RFC", "9471 3.2")]
    public void Addresses_in_a_sibling_that_do_not_fit_do_not_truncate()
    {
        Reply reply = new ServedZones(("big.test", Glue("kid", "sibling"))).Ask("www.kid.big.test");
        Assert.Equal("NOERROR", reply.Header);
        Assert.NotEmpty(reply.Additional);
    }

    [Fact, Trait("RFC", "9471 3.1")]
    public void A_server_whose_label_ends_with_the_octets_of_the_cut_is_not_inside_it()
    {
        Reply reply = new ServedZones(("big.test",
            "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\nkid NS ns\\003kid\nkid NS ns.kid\n"
            + "ns\\003kid A 192.0.2.1\nns.kid A 192.0.2.2\n")).Ask("www.kid.big.test");
        // Servers inside the child come first.
        Assert.Equal(["192.0.2.2", "192.0.2.1"], reply.Additional.Select(record => record.RdataText));
    }

    [Fact, Trait("RFC", "4035 3.1.4.1")]
    public void A_ds_at_a_cut_is_answered_by_the_parent() =>
        Ask("sec DS").Says(
            "NOERROR aa",
            "answer sec.example.test. 3600 DS 12345 8 2 " +
                "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF");

    [Fact, Trait("RFC", "4035 3.1.4.1")]
    public void A_missing_ds_at_a_cut_is_no_data_of_the_parent() => Ask("sub DS").Says("NOERROR aa", Soa);

    [Fact, Trait("RFC", "4035 3.1.4.1")]
    public void With_both_zones_served_the_ds_comes_from_the_parent() =>
        Ask("child DS").Says(
            "NOERROR aa",
            "answer child.example.test. 3600 DS 54321 8 2 " +
                "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF");

    [Fact, Trait("RFC", "4035 3.1.4.1")]
    public void The_ds_of_an_apex_without_a_parent_here_is_no_data_of_the_zone() => Ask("@ DS").Says("NOERROR aa", Soa);

    [Fact, Trait("RFC", "4035 3.1.4.1")]
    public void A_ds_below_a_cut_is_a_referral() => Ask("x.sub DS").Says(Referral);

    [Fact, Trait("RFC", "4035 3.1.4")]
    public void With_the_dnssec_flag_a_referral_carries_the_ds()
    {
        Reply reply = Served.Ask(Query("www.sec A").WithEdns(dnssecOk: true));
        Assert.Equal(["NS", "DS"], reply.Authority.Select(record => record.Type.ToString()));
        Assert.Equal("NS", Assert.Single(Ask("www.sec A").Authority).Type.ToString());
    }

    private static string Glue(string cut, string below) =>
        "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.other.test.\nsibling NS ns0.sibling\n"
        + string.Concat(Enumerable.Range(0, 13).Select(i =>
            $"{cut} NS ns{i}.{below}\nns{i}.{below} A 192.0.2.{i}\nns{i}.{below} AAAA 2001:db8::{i}\n"));
}
