using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>A small choice: one member of each RRset of a marked name.</summary>
public class ChoiceStepTests
{
    private const string Zone = """
        @      60 SOA ns h 1 2 3 4 60
        @      60 NS ns
        ns     60 A 192.0.2.1
        plain  60 A 192.0.2.10
        plain  60 A 192.0.2.11
        pool   60 TYPE65410 \# 4 03776562
        pool   60 A 192.0.2.20
        pool   60 A 192.0.2.21
        pool   60 AAAA 2001:db8::20
        pool   60 AAAA 2001:db8::21
        pool   60 MX 1 pool
        pool   60 MX 2 plain
        *.wild 60 TYPE65410 \# 4 03776562
        *.wild 60 A 192.0.2.30
        *.wild 60 A 192.0.2.31
        mail   60 MX 1 pool
        mail   60 MX 2 plain
        alias  60 CNAME pool
        """;

    private readonly ServedZones _zones = new(("a.test", Zone));

    /// <summary>Chooses one member, none, or leaves the RRset whole.</summary>
    private readonly struct One(int member) : IChoiceStep
    {
        public static bool HasChoice => true;

        public bool TryChoose(
            scoped in ChoiceQuery query, scoped ZoneNode node, scoped RRset rrset, scoped ref Choice choice)
        {
            if (member < 0) return false;
            choice.Ttl = 7;
            if (member < rrset.Count) Assert.True(choice.TryAdd(member));
            return true;
        }
    }

    [Theory]
    [InlineData("pool.a.test", "pool.a.test. 7 A 192.0.2.20")]
    [InlineData("pool.a.test AAAA", "pool.a.test. 7 AAAA 2001:db8::20")]
    [InlineData("x.wild.a.test", "x.wild.a.test. 7 A 192.0.2.30")]
    public void A_marked_name_is_answered_with_the_chosen_member(string question, string expected) =>
        Assert.Equal([expected], Answers(Ask(question, 0)));

    [Fact]
    public void An_alias_leads_to_the_chosen_member() =>
        Assert.Equal(["alias.a.test. 60 CNAME pool.a.test.", "pool.a.test. 7 A 192.0.2.21"],
            Answers(Ask("alias.a.test", 1)));

    [Fact]
    public void Other_names_and_a_choice_that_keeps_all_leave_the_RRset_whole()
    {
        Assert.Equal(2, Ask("plain.a.test", 0).Answer.Count);
        Assert.Equal(["pool.a.test. 60 A 192.0.2.20", "pool.a.test. 60 A 192.0.2.21"], Answers(Ask("pool.a.test", -1)));
        Assert.Equal(2, _zones.Ask("pool.a.test").Answer.Count);
    }

    [Fact]
    public void Additional_data_has_the_chosen_member_each_time()
    {
        for (int i = 0; i < 6; i++)
        {
            string[] added = [.. Ask("mail.a.test MX", i % 2).Additional.Select(record => record.ToString())];
            Assert.Equal(
                [$"pool.a.test. 7 A 192.0.2.2{i % 2}", $"pool.a.test. 7 AAAA 2001:db8::2{i % 2}",
                    "plain.a.test. 60 A 192.0.2.10", "plain.a.test. 60 A 192.0.2.11"], added);
            // Octets cached without a choice are not those of one.
            Assert.Equal(6, _zones.Ask("mail.a.test MX").Additional.Count);
        }
    }

    [Fact]
    public void Of_an_RRset_that_names_hosts_only_those_of_the_chosen_members_are_added()
    {
        Reply reply = Ask("pool.a.test MX", 1);
        Assert.Equal(["pool.a.test. 7 MX 2 plain.a.test."], Answers(reply));
        Assert.Equal(["192.0.2.10", "192.0.2.11"], reply.Additional.Select(record => record.RdataText));
    }

    [Fact]
    public void Without_members_the_name_lacks_the_type()
    {
        Reply reply = Ask("pool.a.test", 5);
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Empty(reply.Answer);
        Assert.Equal(RRType.SOA, Assert.Single(reply.Authority).Type);
    }

    [Fact]
    public void Any_has_the_chosen_members_too() =>
        Assert.Equal(["192.0.2.21", "2001:db8::21", "2 plain.a.test."],
            Ask("pool.a.test ANY", 1, DnsTransport.Tcp).Answer.Select(record => record.RdataText));

    [Fact]
    public void The_mark_is_no_answer_where_a_step_reads_it()
    {
        Assert.Equal("NOERROR aa", Ask("pool.a.test TYPE65410", 1).Header);
        Assert.Empty(Ask("pool.a.test TYPE65410", 1).Answer);
        Assert.Single(_zones.Ask("pool.a.test TYPE65410").Answer);
    }

    private static string[] Answers(Reply reply) => [.. reply.Answer.Select(record => record.ToString())];

    private Reply Ask(string question, int member, DnsTransport transport = default)
    {
        byte[] room = new byte[ushort.MaxValue], query = QueryMessage.For(question).ToOctets();
        query.CopyTo(room, 0);
        QueryOrigin origin = new(ScriptedRelay.Client, transport, now: 0);
        NoSource none = default;
        AnswerSteps<NoSteps, One, NoSteps> steps = new(default, new One(member), default);
        ReplyOutcome reply = _zones.Responder.Respond(room, query.Length, ref origin, null, ref none, steps);
        return Reply.Read(room[..reply.Octets]);
    }
}
