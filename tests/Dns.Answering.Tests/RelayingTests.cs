using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

public class RelayingTests
{
    private const ushort Rd = MessageHeader.RecursionDesired;

    private const string Zone = """
        $TTL 300
        @       SOA ns host 1 2 3 4 60
        @       NS  ns
        ns      A   192.0.2.1
        www     A   192.0.2.10
        out     CNAME www.example.net.
        twice   CNAME out
        there   CNAME gone.example.net.
        below   CNAME host.sub
        sub     NS  ns.sub
        ns.sub  A   192.0.2.2
        """;

    private readonly ScriptedRelay _relay = new ScriptedRelay().Forward(".");
    private readonly ServedZones _zones;

    public RelayingTests() => _zones = Serve(_relay);

    private static ServedZones Serve(ScriptedRelay relay) =>
        new(new ResponderOptions(), relay, ServedZones.SlotOf("example.test", Zone));

    private static byte[] A(string owner, byte last = 80) =>
        WireOctets.Record(owner, RRType.A, 1, 60, [203, 0, 113, last]);

    private static byte[] Soa(string owner) => WireOctets.Record(
        owner, RRType.SOA, 1, 60,
        [.. WireOctets.Name("ns." + owner), .. WireOctets.Name("host." + owner), .. new byte[20]]);

    private static QueryMessage Query(string question) => QueryMessage.For(question) with { Flags = Rd };

    [Fact]
    public void Known_answer_is_given_under_the_question_as_it_was_spelled()
    {
        _relay.Know("www.example.net. A", Rcode.NoError, A("www.example.net."));
        Reply reply = _relay.Ask(_zones, Query("wWw.eXample.net"))!;
        Assert.Equal("NOERROR rd ra\nanswer www.example.net. 60 A 203.0.113.80", reply.ToString());
        Assert.Equal(Query("wWw.eXample.net").Question, reply.Question);
    }

    [Fact]
    public void Client_that_may_not_recurse_is_refused_and_told_why()
    {
        _relay.IsOpen = false;
        _relay.Know("www.example.net. A", Rcode.NoError, A("www.example.net."));
        Reply reply = _relay.Ask(_zones, Query("www.example.net").WithEdns())!;
        Assert.Equal("REFUSED rd", reply.ToString());
        Assert.Equal(["ExtendedError 0012"], reply.Options);
    }

    [Theory]
    [InlineData(true, "NOERROR aa rd ra")]
    [InlineData(false, "NOERROR aa rd")]
    public void Recursion_is_offered_to_those_who_may_use_it_and_nobody_else(bool isOpen, string header)
    {
        _relay.IsOpen = isOpen;
        Assert.Equal(header, _relay.Ask(_zones, Query("www.example.test"))!.Header);
    }

    [Fact]
    public void Unknown_answer_is_asked_for_and_given_under_ID_spelling_and_EDNS_of_the_query()
    {
        QueryMessage query = Query("wWw.example.net AAAA").WithEdns(1232, dnssecOk: true) with { Id = 0x1234 };
        Assert.Null(_relay.Ask(_zones, query));
        Assert.Equal(["www.example.net. AAAA DnssecOk"], _relay.Asked);
        _relay.Know("www.example.net. AAAA", Rcode.NXDomain);
        Reply reply = _relay.Complete(_zones);
        Assert.Equal("NXDOMAIN rd ra", reply.ToString());
        Assert.Equal(query.Question, reply.Question);
        Assert.Equal(0x1234, MessageHeader.Id(reply.Octets));
        Assert.Equal(0x8000u, reply.Opt!.Ttl & 0x8000);
    }

    [Fact]
    public void CD_makes_another_question()
    {
        Assert.Null(_relay.Ask(_zones, Query("www.example.net") with { Flags = Rd | MessageHeader.CheckingDisabled }));
        Assert.Equal(["www.example.net. A CheckingDisabled"], _relay.Asked);
    }

    [Fact]
    public void Without_RD_only_what_is_known_is_told()
    {
        Assert.Equal("REFUSED ra", _relay.Ask(_zones, QueryMessage.For("www.example.net"))!.ToString());
        _relay.Know("www.example.net. A", Rcode.NoError, A("www.example.net."));
        Assert.Equal("NOERROR ra", _relay.Ask(_zones, QueryMessage.For("www.example.net"))!.Header);
        Assert.Empty(_relay.Asked);
    }

    [Fact]
    public void Without_RD_nothing_is_asked_again_for_later()
    {
        _relay.Know("www.example.net. A", Rcode.NoError, A("www.example.net."));
        _relay.Ask(_zones, QueryMessage.For("www.example.net"));
        _relay.Ask(_zones, Query("www.example.net"));
        Assert.Equal([false, true], _relay.MightAsk);
    }

    [Fact]
    public void Question_that_cannot_be_asked_is_SERVFAIL_with_the_reason()
    {
        _relay.Obstacle = new(ExtendedErrorCode.Prohibited);
        Reply reply = _relay.Ask(_zones, Query("www.example.net").WithEdns())!;
        Assert.Equal("SERVFAIL rd ra", reply.ToString());
        Assert.Equal(["ExtendedError 0012"], reply.Options);
    }

    [Fact]
    public void Question_of_an_address_that_may_be_forged_is_truncated_where_room_is_left_for_others()
    {
        _relay.Obstacle = new(ExtendedErrorCode.Prohibited, WantsProof: true);
        Assert.Equal("NOERROR tc rd ra", _relay.Ask(_zones, Query("www.example.net").WithEdns())!.ToString());
    }

    [Fact]
    public void Served_zone_wins_over_a_forwarded_one_of_the_same_name()
    {
        _relay.Forward("example.test.");
        Assert.Equal("NOERROR aa rd ra", _relay.Ask(_zones, Query("www.example.test"))!.Header);
    }

    [Fact]
    public void Longer_forwarded_zone_wins_over_a_served_one()
    {
        _relay.Forward("www.example.test.");
        Assert.Null(_relay.Ask(_zones, Query("a.www.example.test")));
        Assert.Equal(["a.www.example.test. A"], _relay.Asked);
    }

    [Fact]
    public void DS_of_a_forwarded_zone_belongs_to_the_zone_above_it()
    {
        _relay.Forward("www.example.test.");
        Assert.Equal("NOERROR aa rd ra", _relay.Ask(_zones, Query("www.example.test DS"))!.Header);
    }

    [Fact]
    public void DS_of_a_zone_whose_parent_is_forwarded_is_the_parent_s_for_clients_with_recursion()
    {
        Assert.Null(_relay.Ask(_zones, Query("example.test DS")));
        Assert.Equal(["example.test. DS"], _relay.Asked);
        Assert.Equal("NOERROR aa rd ra", _relay.Ask(_zones, Query("www.example.test DS"))!.Header);
        Assert.Equal("NOERROR aa ra", _relay.Ask(_zones, QueryMessage.For("example.test DS"))!.Header);
        _relay.IsOpen = false;
        Assert.Equal("NOERROR aa rd", _relay.Ask(_zones, Query("example.test DS"))!.Header);
        ScriptedRelay others = new ScriptedRelay().Forward("net.");
        Assert.Equal("NOERROR aa rd ra", others.Ask(Serve(others), Query("example.test DS"))!.Header);
    }

    [Fact]
    public void Alias_that_leads_out_is_completed()
    {
        _relay.Know("www.example.net. A", Rcode.NoError, A("www.example.net."), A("www.example.net.", 81));
        Assert.Equal("""
            NOERROR aa rd ra
            answer twice.example.test. 300 CNAME out.example.test.
            answer out.example.test. 300 CNAME www.example.net.
            answer www.example.net. 60 A 203.0.113.80
            answer www.example.net. 60 A 203.0.113.81
            """.ReplaceLineEndings("\n"), _relay.Ask(_zones, Query("twice.example.test"))!.ToString());
    }

    [Fact]
    public void Alias_that_leads_out_waits_for_its_target()
    {
        Assert.Null(_relay.Ask(_zones, Query("out.example.test")));
        Assert.Equal(["www.example.net. A"], _relay.Asked);
        _relay.Know("www.example.net. A", Rcode.NoError, A("www.example.net."));
        Assert.Equal(2, _relay.Complete(_zones).Answer.Count);
    }

    [Fact]
    public void Alias_to_a_name_that_does_not_exist_elsewhere_is_NXDOMAIN_with_their_SOA()
    {
        _relay.Know("gone.example.net. A", new RelayedAnswer { Rcode = Rcode.NXDomain, AuthorityCount = 1 },
            Soa("example.net."));
        Reply reply = _relay.Ask(_zones, Query("there.example.test"))!;
        Assert.Equal("NXDOMAIN aa rd ra", reply.Header);
        Assert.Equal("example.net.", Assert.Single(reply.Authority).Owner.ToString());
    }

    [Fact]
    public void Alias_whose_target_cannot_be_asked_for_is_SERVFAIL_without_records()
    {
        _relay.Obstacle = new(ExtendedErrorCode.NoReachableAuthority);
        Assert.Equal("SERVFAIL rd ra", _relay.Ask(_zones, Query("out.example.test"))!.ToString());
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, Rd)]
    public void Others_get_the_authoritative_answer(bool isOpen, int flags)
    {
        _relay.IsOpen = isOpen;
        Reply alias = _relay.Ask(_zones, QueryMessage.For("out.example.test") with { Flags = (ushort)flags })!;
        Assert.Equal("out.example.test. 300 CNAME www.example.net.", Assert.Single(alias.Answer).ToString());
        Reply cut = _relay.Ask(_zones, QueryMessage.For("host.sub.example.test") with { Flags = (ushort)flags })!;
        Assert.Equal("sub.example.test. 300 NS ns.sub.example.test.", Assert.Single(cut.Authority).ToString());
        Assert.Empty(_relay.Asked);
    }

    [Fact]
    public void Delegation_is_completed()
    {
        _relay.Know("host.sub.example.test. A", Rcode.NoError, A("host.sub.example.test."));
        Reply reply = _relay.Ask(_zones, Query("host.sub.example.test"))!;
        Assert.Equal("NOERROR rd ra\nanswer host.sub.example.test. 60 A 203.0.113.80", reply.ToString());
    }

    [Fact]
    public void Alias_into_a_delegation_is_completed()
    {
        Assert.Null(_relay.Ask(_zones, Query("below.example.test")));
        Assert.Equal(["host.sub.example.test. A"], _relay.Asked);
    }

    [Fact]
    public void Answer_that_does_not_fit_is_truncated_to_nothing()
    {
        _relay.Know("www.example.net. A", Rcode.NoError,
            [.. Enumerable.Range(0, 40).Select(i => A("www.example.net.", (byte)i))]);
        Assert.Equal("NOERROR tc rd ra", _relay.Ask(_zones, Query("www.example.net"))!.ToString());
        Reply behindAlias = _relay.Ask(_zones, Query("out.example.test"))!;
        Assert.True(behindAlias.IsTruncated);
        Assert.Single(behindAlias.Answer);
        Assert.Equal(40, _relay.Ask(_zones, Query("www.example.net"), DnsTransport.Tcp)!.Answer.Count);
        Assert.Equal(41, _relay.Ask(_zones, Query("out.example.test"), DnsTransport.Tcp)!.Answer.Count);
    }

    [Theory]
    [InlineData(Rd, false, "NOERROR rd ra")]
    [InlineData(Rd | MessageHeader.AuthenticData, false, "NOERROR rd ra ad")]
    [InlineData(Rd, true, "NOERROR rd ra ad")]
    public void AD_is_told_to_those_who_ask_for_it(int flags, bool dnssecOk, string header)
    {
        _relay.Know("www.example.net. A", new RelayedAnswer { AnswerCount = 1, AuthenticData = true },
            A("www.example.net."));
        QueryMessage query = QueryMessage.For("www.example.net") with { Flags = (ushort)flags };
        Assert.Equal(header, _relay.Ask(_zones, dnssecOk ? query.WithEdns(1232, true) : query)!.Header);
    }

    [Fact]
    public void Other_classes_and_zone_transfers_are_never_forwarded()
    {
        Assert.Equal("REFUSED rd ra", _relay.Ask(_zones, Query("www.example.net A HS"))!.Header);
        Assert.Equal("NOTAUTH rd ra", _relay.Ask(_zones, Query("example.net AXFR"))!.Header);
        Assert.Equal("NOTAUTH rd ra", _relay.Ask(_zones, Query("example.net IXFR"))!.Header);
        Assert.Equal("NOTIMP", _relay.Ask(_zones, Query("example.net") with { Flags = 5 << 11 })!.Header);
        Assert.Equal("NOTIMP", _relay.Ask(_zones, Query("example.net") with { Flags = 4 << 11 })!.Header);
        Assert.Empty(_relay.Asked);
    }

    [Fact]
    public void Batch_answers_what_is_known_and_leaves_the_rest_with_its_slot()
    {
        const int slot = 1232;
        _relay.Know("www.example.net. A", Rcode.NoError, A("www.example.net."));
        byte[] slots = new byte[3 * slot];
        string[] names = ["www.example.net", "other.example.net", "www.example.test"];
        int[] lengths = new int[3];
        ClientAddress[] clients = [ScriptedRelay.Client, ScriptedRelay.Client, ScriptedRelay.Client];
        for (int i = 0; i < names.Length; i++)
        {
            byte[] query = Query(names[i]).ToOctets();
            query.CopyTo(slots, i * slot);
            lengths[i] = query.Length;
        }
        ScriptedRelay.Call call = new(_relay);
        _zones.Responder.RespondToBatch(Batches.InRow(slots, slot, lengths, clients, now: 0), _relay, ref call);
        Assert.Equal(0, lengths[1]);
        Assert.Equal(["other.example.net. A @1"], _relay.Asked);
        Assert.Equal("NOERROR rd ra", Reply.Read(slots[..lengths[0]]).Header);
        Assert.Equal("NOERROR aa rd ra", Reply.Read(slots[(2 * slot)..(2 * slot + lengths[2])]).Header);
    }
}
