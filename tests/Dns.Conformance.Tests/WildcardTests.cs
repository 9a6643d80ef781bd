using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class WildcardTests
{
    [Theory, Trait("RFC", "4592 3.3.1")]
    [InlineData("foo.wild")]
    [InlineData("a.b.c.wild")]
    public void A_wildcard_answers_for_any_depth_under_the_name_that_was_asked(string name) =>
        Ask(name).Says("NOERROR aa", $"answer {name}.example.test. 3600 A 192.0.2.60");

    [Fact, Trait("RFC", "4592 2.2.1")]
    public void A_wildcard_without_the_type_is_no_data() => Ask("foo.wild AAAA").Says("NOERROR aa", Soa);

    [Fact, Trait("RFC", "4592 2.2.1")]
    public void An_existing_name_hides_the_wildcard_for_itself_and_below()
    {
        Ask("sub.wild A").Says("NOERROR aa", Soa);
        Ask("x.sub.wild A").Says("NXDOMAIN aa", Soa);
    }

    [Fact, Trait("RFC", "4592 2.2.2")]
    public void An_empty_non_terminal_hides_the_wildcard_for_itself_and_below()
    {
        Ask("x.wild A").Says("NOERROR aa", Soa);
        Ask("y.x.wild A").Says("NXDOMAIN aa", Soa);
    }

    [Fact, Trait("RFC", "4592 2.1.1")]
    public void The_asterisk_asked_for_is_a_name_like_any_other() =>
        Ask("*.wild A").Says("NOERROR aa", "answer *.wild.example.test. 3600 A 192.0.2.60");

    [Fact, Trait("RFC", "4592 2.1.1")]
    public void Below_an_asterisk_label_no_wildcard_applies() => Ask("a.*.wild A").Says("NXDOMAIN aa", Soa);

    [Fact, Trait("RFC", "4592 4.4")]
    public void A_wildcard_alias_is_made_and_followed()
    {
        Ask("foo.wc A").Says(
            "NOERROR aa", "answer foo.wc.example.test. 3600 CNAME www.example.test.",
            "answer www.example.test. 3600 A 192.0.2.10");
        Ask("foo.wc CNAME").Says("NOERROR aa", "answer foo.wc.example.test. 3600 CNAME www.example.test.");
        Ask("foo.wcnx A").Says("NXDOMAIN aa", "answer foo.wcnx.example.test. 3600 CNAME nx.example.test.", Soa);
    }

    [Fact, Trait("RFC", "4592 2.2.2")]
    public void The_parent_of_a_wildcard_is_no_data() => Ask("wild A").Says("NOERROR aa", Soa);

    [Fact, Trait("RFC", "4592 4.2")]
    public void A_wildcard_of_name_servers_gives_no_referral() => Ask("foo.wns A").Says("NOERROR aa", Soa);

    [Fact, Trait("RFC", "4592 4.4")]
    public void A_wildcard_dname_does_not_redirect()
    {
        Ask("x.foo.wdn A").Says("NOERROR aa", Soa);
        Ask("foo.wdn DNAME").Says("NOERROR aa", "answer foo.wdn.example.test. 3600 DNAME target.example.test.");
    }

    [Fact, Trait("RFC", "4592 2.1.3")]
    public void A_wildcard_exchange_gets_its_address() =>
        Ask("foo.wmx MX").Says(
            "NOERROR aa", "answer foo.wmx.example.test. 3600 MX 10 mx1.example.test.",
            "additional mx1.example.test. 3600 A 192.0.2.40");
}
