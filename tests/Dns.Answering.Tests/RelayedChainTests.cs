using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>
/// Answers of others whose aliases lead on: to a zone served, to names of other upstreams, or in a circle.
/// </summary>
public class RelayedChainTests
{
    private const ushort Rd = MessageHeader.RecursionDesired;

    private const string Zone = """
        $TTL 300
        @       SOA ns host 1 2 3 4 60
        @       NS  ns
        ns      A   192.0.2.1
        www     A   192.0.2.10
        out     CNAME a.corp.test.
        round   CNAME c.corp.test.
        """;

    private readonly ScriptedRelay _relay = new ScriptedRelay().Forward("corp.test.").Forward("net.test.");
    private readonly ServedZones _zones;

    public RelayedChainTests() =>
        _zones = new(new ResponderOptions(), _relay, ServedZones.SlotOf("example.test", Zone));

    private static QueryMessage Query(string question) => QueryMessage.For(question) with { Flags = Rd };

    private static byte[] Alias(string owner, string target) =>
        WireOctets.Record(owner, RRType.CNAME, 1, 60, WireOctets.Name(target));

    private static byte[] A(string owner) => WireOctets.Record(owner, RRType.A, 1, 60, [203, 0, 113, 80]);

    private void LeadOn(string owner, string target) =>
        _relay.Know($"{owner} A", new RelayedAnswer { AnswerCount = 1, EndsInAlias = true }, Alias(owner, target));

    private string Ask(string question) => _relay.Ask(_zones, Query(question))!.ToString();

    [Fact]
    public void Alias_of_others_into_a_zone_served_is_completed_from_it()
    {
        LeadOn("a.corp.test.", "www.example.test.");
        Assert.Equal("""
            NOERROR rd ra
            answer a.corp.test. 60 CNAME www.example.test.
            answer www.example.test. 300 A 192.0.2.10
            """.ReplaceLineEndings("\n"), Ask("a.corp.test"));
        LeadOn("b.corp.test.", "no.example.test.");
        Reply denied = _relay.Ask(_zones, Query("b.corp.test"))!;
        Assert.Equal("NXDOMAIN rd ra", denied.Header);
        Assert.Equal("example.test.", Assert.Single(denied.Authority).Owner.ToString());
    }

    [Fact]
    public void Alias_of_others_leads_to_no_blocked_address_of_a_zone_served()
    {
        _relay.BlocksAddresses = true;
        LeadOn("a.corp.test.", "www.example.test.");
        Reply reply = _relay.Ask(_zones, Query("a.corp.test").WithEdns())!;
        Assert.Equal("a.corp.test. 60 CNAME www.example.test.", Assert.Single(reply.Answer).ToString());
        Assert.Equal(("NOERROR rd ra", "ExtendedError 000F"), (reply.Header, Assert.Single(reply.Options)));
        // What is no address is there, and so is the address for those who query it.
        LeadOn("b.corp.test.", "no.example.test.");
        Assert.Equal("NXDOMAIN rd ra", _relay.Ask(_zones, Query("b.corp.test"))!.Header);
        Assert.Single(_relay.Ask(_zones, Query("www.example.test"))!.Answer);
    }

    [Fact]
    public void Alias_of_others_leads_to_no_record_beside_which_a_blocked_address_is_given()
    {
        _relay.BlocksAddresses = true;
        ServedZones zones =
            new(new ResponderOptions(), _relay, ServedZones.SlotOf("example.test", Zone + "\nmail MX 10 www"));
        _relay.Know("a.corp.test. MX", new RelayedAnswer { AnswerCount = 1, EndsInAlias = true },
            Alias("a.corp.test.", "mail.example.test."));
        Reply reply = _relay.Ask(zones, Query("a.corp.test MX").WithEdns())!;
        Assert.Equal("a.corp.test. 60 CNAME mail.example.test.", Assert.Single(reply.Answer).ToString());
        Assert.Equal("ExtendedError 000F", Assert.Single(reply.Options));
        Assert.Equal("mail.example.test. 300 MX 10 www.example.test.",
            Assert.Single(_relay.Ask(zones, Query("mail.example.test MX"))!.Answer).ToString());
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 2)]
    public void A_blocked_record_of_a_wildcard_leaves_no_proof_behind(bool blocks, int authority)
    {
        const string signature = "RRSIG NSEC 13 2 300 20300101000000 20200101000000 1 example.test. AAAA";
        _relay.BlocksAddresses = blocks;
        ServedZones zones = new(new ResponderOptions(), _relay, ServedZones.SlotOf("example.test", $"""
            $TTL 300
            @    SOA ns host 1 2 3 4 60
            @    NS ns
            @    DNSKEY 257 3 13 AQIDBA==
            @    NSEC ns NS SOA RRSIG NSEC DNSKEY
            @    {signature}
            ns   A 192.0.2.1
            ns   NSEC *.w A RRSIG NSEC
            ns   {signature}
            *.w  A 192.0.2.9
            *.w  RRSIG A 13 3 300 20300101000000 20200101000000 1 example.test. AAAA
            *.w  NSEC @ A RRSIG NSEC
            *.w  {signature}
            """));
        LeadOn("a.corp.test.", "x.w.example.test.");
        _relay.Know("a.corp.test. A DnssecOk", new RelayedAnswer { AnswerCount = 1, EndsInAlias = true },
            Alias("a.corp.test.", "x.w.example.test."));
        Reply reply = _relay.Ask(zones, Query("a.corp.test").WithEdns(1232, dnssecOk: true))!;
        Assert.Equal((blocks ? 1 : 3, authority), (reply.Answer.Count, reply.Authority.Count));
    }

    [Fact]
    public void Chain_goes_through_names_of_others_and_zones_served_to_its_end()
    {
        LeadOn("a.corp.test.", "b.net.test.");
        LeadOn("b.net.test.", "out2.example.test.");
        ServedZones zones =
            new(new ResponderOptions(), _relay, ServedZones.SlotOf("example.test", Zone + "\nout2 CNAME d.net.test."));
        _relay.Know("d.net.test. A", Rcode.NoError, A("d.net.test."));
        Assert.Equal("""
            NOERROR aa rd ra
            answer out.example.test. 300 CNAME a.corp.test.
            answer a.corp.test. 60 CNAME b.net.test.
            answer b.net.test. 60 CNAME out2.example.test.
            answer out2.example.test. 300 CNAME d.net.test.
            answer d.net.test. 60 A 203.0.113.80
            """.ReplaceLineEndings("\n"), _relay.Ask(zones, Query("out.example.test"))!.ToString());
    }

    [Fact]
    public void Target_that_is_not_known_is_asked_for_and_the_query_waits_on()
    {
        Assert.Null(_relay.Ask(_zones, Query("a.corp.test").WithEdns(1232, dnssecOk: true)));
        LeadOn("a.corp.test.", "b.net.test.");
        Assert.Null(_relay.CompleteOrWait(_zones));
        Assert.Equal(["a.corp.test. A DnssecOk", "b.net.test. A DnssecOk"], _relay.Asked);
        _relay.Know("b.net.test. A", Rcode.NoError, A("b.net.test."));
        Assert.Equal(2, _relay.Complete(_zones).Answer.Count);
    }

    [Fact]
    public void Target_that_cannot_be_asked_for_is_SERVFAIL_without_records()
    {
        LeadOn("a.corp.test.", "b.net.test.");
        _relay.Obstacle = new(ExtendedErrorCode.NoReachableAuthority);
        Reply reply = _relay.Ask(_zones, Query("a.corp.test").WithEdns())!;
        Assert.Equal("SERVFAIL rd ra", reply.ToString());
        Assert.Equal(["ExtendedError 0016"], reply.Options);
    }

    [Fact]
    public void Target_for_which_an_address_must_be_proven_is_truncated_without_records()
    {
        LeadOn("a.corp.test.", "b.net.test.");
        _relay.Obstacle = new(ExtendedErrorCode.Prohibited, WantsProof: true);
        Assert.Equal("NOERROR tc rd ra", Ask("a.corp.test"));
    }

    [Fact]
    public void Target_that_nobody_answers_for_here_ends_the_chain()
    {
        LeadOn("a.corp.test.", "www.example.com.");
        Assert.Equal("NOERROR rd ra\nanswer a.corp.test. 60 CNAME www.example.com.", Ask("a.corp.test"));
    }

    [Fact]
    public void Circle_through_others_and_zones_served_ends()
    {
        LeadOn("c.corp.test.", "round.example.test.");
        Assert.Equal("""
            NOERROR rd ra
            answer c.corp.test. 60 CNAME round.example.test.
            answer round.example.test. 300 CNAME c.corp.test.
            """.ReplaceLineEndings("\n"), Ask("c.corp.test"));
        LeadOn("e.corp.test.", "e.corp.test.");
        Assert.Equal("NOERROR rd ra\nanswer e.corp.test. 60 CNAME e.corp.test.", Ask("e.corp.test"));
        LeadOn("f.corp.test.", "g.net.test.");
        LeadOn("g.net.test.", "f.corp.test.");
        Assert.Equal(2, _relay.Ask(_zones, Query("f.corp.test"))!.Answer.Count);
    }

    [Fact]
    public void Circle_back_to_an_alias_served_tells_that_alias_once()
    {
        LeadOn("a.corp.test.", "out.example.test.");
        Assert.Equal("""
            NOERROR aa rd ra
            answer out.example.test. 300 CNAME a.corp.test.
            answer a.corp.test. 60 CNAME out.example.test.
            """.ReplaceLineEndings("\n"), Ask("out.example.test"));
    }

    [Fact]
    public void Chain_through_others_has_a_bound()
    {
        for (int i = 0; i < 100; i++) LeadOn($"n{i}.corp.test.", $"n{i + 1}.corp.test.");
        Reply reply = _relay.Ask(_zones, Query("n0.corp.test"))!;
        Assert.Equal("NOERROR rd ra", reply.Header);
        Assert.Equal(Resolution.MaxAliases, reply.Answer.Count);
        Assert.Empty(_relay.Asked);
    }

    [Fact]
    public void Without_RD_a_chain_is_told_as_far_as_it_is_known()
    {
        LeadOn("a.corp.test.", "www.example.test.");
        Assert.Single(_relay.Ask(_zones, QueryMessage.For("a.corp.test"))!.Answer);
    }

    [Fact]
    public void Chain_that_does_not_fit_is_truncated()
    {
        LeadOn("a.corp.test.", "b.net.test.");
        _relay.Know("b.net.test. A", Rcode.NoError, [.. Enumerable.Repeat(A("b.net.test."), 40)]);
        Reply reply = _relay.Ask(_zones, Query("a.corp.test"))!;
        Assert.Equal((true, 1), (reply.IsTruncated, reply.Answer.Count));
        Assert.Equal(41, _relay.Ask(_zones, Query("a.corp.test"), DnsTransport.Tcp)!.Answer.Count);
    }
}
