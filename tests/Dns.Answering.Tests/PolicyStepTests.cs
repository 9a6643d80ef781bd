using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>A small policy: it blocks names and addresses.</summary>
public class PolicyStepTests
{
    private const string Zone = """
        @    60 SOA ns h 1 2 3 4 60
        @    60 NS ns
        ns   60 A 192.0.2.1
        www  60 A 192.0.2.10
        bad  60 A 192.0.2.66
        out  60 CNAME bad.example.net.
        sub  60 NS ns.sub
        """;

    private static readonly byte[] Blocked = [203, 0, 113, 66];

    private readonly ScriptedRelay _relay = new ScriptedRelay().Forward("example.net.").Forward("sub.a.test.");
    private readonly ServedZones _zones;

    public PolicyStepTests() =>
        _zones = new ServedZones(new ResponderOptions(), _relay, ServedZones.SlotOf("a.test", Zone));

    /// <summary>Decides by the first label of a name, and blocks an address of forwarded answers.</summary>
    private readonly struct Policy(List<string> seen) : IPolicyStep
    {
        public static bool HasPolicy => true;

        public PolicyVerdict OnQuery(scoped in PolicyQuery query, scoped ref PolicyReply reply)
        {
            string name = NameText.ToText(query.Name.Octets);
            seen.Add($"{name}{(query.IsForwarded ? " forwarded" : "")}");
            switch (name.Split('.')[0])
            {
                case "bad":
                    reply.Rcode = Rcode.NXDomain;
                    reply.Error = ExtendedErrorCode.Blocked;
                    reply.AddAuthority(WireOctets.Name("policy.test"), RRType.SOA, 5,
                        [.. WireOctets.Name("policy.test"), .. WireOctets.Name("h.policy.test"), .. new byte[20]]);
                    return PolicyVerdict.Reply;
                case "local":
                    reply.Add(query.Name.Octets, RRType.A, 30, [192, 0, 2, 99]);
                    return PolicyVerdict.Reply;
                case "much":
                    for (int i = 0; i < 100; i++) reply.Add(query.Name.Octets, RRType.A, 30, [192, 0, 2, (byte)i]);
                    return PolicyVerdict.Reply;
                case "silent": return PolicyVerdict.Drop;
                case "again": return PolicyVerdict.Truncate;
                default: return PolicyVerdict.Pass;
            }
        }

        public PolicyVerdict OnForwarded(
            scoped in PolicyQuery query, scoped RecordReader answer, scoped ref PolicyReply reply)
        {
            bool isBlocked = false;
            while (answer.TryRead()) isBlocked |= answer.Rdata.SequenceEqual(Blocked);
            if (!isBlocked) return PolicyVerdict.Pass;
            reply.Error = ExtendedErrorCode.Blocked;
            return PolicyVerdict.Reply;
        }
    }

    private readonly List<string> _seen = [];

    [Fact]
    public void A_blocked_name_has_the_reply_of_the_policy_before_any_lookup()
    {
        Reply reply = Ask("bad.a.test", withEdns: true)!;
        Assert.Equal("NXDOMAIN rd ra", reply.Header);
        Assert.Equal("policy.test.", Assert.Single(reply.Authority).Owner.ToString());
        Assert.Equal("NXDOMAIN rd ra", Ask("bad.example.net")!.Header);
        Assert.Equal(["bad.a.test.", "bad.example.net. forwarded"], _seen);
        Assert.Empty(_relay.Asked);
    }

    [Fact]
    public void Names_that_pass_are_answered_as_without_a_policy()
    {
        Assert.Equal("192.0.2.10", Ask("www.a.test")!.Answer[0].RdataText);
        Assert.Equal("REFUSED", Ask("www.b.test", flags: 0)!.Header.Replace(" ra", ""));
    }

    [Fact]
    public void Records_of_a_policy_are_the_answer_and_what_does_not_fit_truncates()
    {
        Assert.Equal("local.a.test. 30 A 192.0.2.99", Ask("local.a.test")!.Answer[0].ToString());
        Reply cut = Ask("much.a.test")!;
        Assert.True(cut.IsTruncated);
        Assert.NotEmpty(cut.Answer);
        Assert.Equal(100, Ask("much.a.test", transport: DnsTransport.Tcp)!.Answer.Count);
    }

    [Fact]
    public void A_query_is_dropped_or_sent_to_tcp()
    {
        Assert.Null(Ask("silent.a.test"));
        Assert.Equal(1, _zones.Responder.Counters.Read().Of(AnswerKind.Silence));
        Assert.Equal("NOERROR tc rd ra", Ask("again.a.test")!.Header);
        Assert.Equal("NXDOMAIN aa rd ra", Ask("again.a.test", transport: DnsTransport.Tcp)!.Header);
    }

    [Fact]
    public void An_alias_that_leads_to_a_blocked_forwarded_name_is_blocked()
    {
        Assert.Equal("NXDOMAIN rd ra", Ask("out.a.test")!.Header);
        Assert.Equal(["out.a.test.", "bad.example.net. forwarded"], _seen);
        _seen.Clear();
        Assert.Equal("NXDOMAIN rd ra", Ask("bad.sub.a.test")!.Header);
        Assert.Empty(_relay.Asked);
    }

    [Fact]
    public void What_another_server_answered_is_seen_before_it_is_given()
    {
        byte[] record = WireOctets.Record("www.example.net.", RRType.A, 1, 60, Blocked);
        _relay.Know("www.example.net. A", Rcode.NoError, record);
        _relay.Know("good.example.net. A", Rcode.NoError,
            WireOctets.Record("good.example.net.", RRType.A, 1, 60, [203, 0, 113, 1]));
        Assert.Empty(Ask("www.example.net")!.Answer);
        Assert.Equal("203.0.113.1", Ask("good.example.net")!.Answer[0].RdataText);
        _relay.Forget();
        Assert.Null(Ask("www.example.net"));
        DeferredQuery waiting = Assert.Single(_relay.Waiting);
        _relay.Know("www.example.net. A", Rcode.NoError, record);
        byte[] room = new byte[1232];
        ScriptedRelay.Call call = new(_relay);
        ReplyOutcome late = _zones.Responder.Resume(room, in waiting, ref call, Steps);
        Assert.Empty(Reply.Read(room[..late.Octets]).Answer);
    }

    [Fact]
    public void Each_query_of_a_batch_passes_the_policy()
    {
        byte[] slots = new byte[2 * 1232];
        int[] lengths = [Put("bad.a.test", 0), Put("www.a.test", 1)];
        ScriptedRelay.Call call = new(_relay);
        ClientAddress[] clients = [ScriptedRelay.Client, ScriptedRelay.Client];
        DatagramBatch batch = new(slots, (int[])[0, 1232], 1232, lengths, clients, now: 0);
        _zones.Responder.RespondToBatch(in batch, _relay, ref call, Steps);
        Assert.Equal("NXDOMAIN ra", Reply.Read(slots[..lengths[0]]).Header);
        Assert.Equal("NOERROR aa ra", Reply.Read(slots[1232..(1232 + lengths[1])]).Header);

        int Put(string name, int slot)
        {
            byte[] query = QueryMessage.For(name).ToOctets();
            query.CopyTo(slots, slot * 1232);
            return query.Length;
        }
    }

    private AnswerSteps<Policy, NoSteps, NoSteps> Steps => new(new Policy(_seen), default, default);

    private Reply? Ask(string name, DnsTransport transport = default, bool withEdns = false,
        ushort flags = MessageHeader.RecursionDesired)
    {
        byte[] room = new byte[transport.IsReliable ? ushort.MaxValue : 1232];
        QueryMessage query = QueryMessage.For(name) with { Flags = flags };
        byte[] octets = (withEdns ? query.WithEdns() : query).ToOctets();
        octets.CopyTo(room, 0);
        QueryOrigin origin = new(ScriptedRelay.Client, transport, now: 0);
        ScriptedRelay.Call call = new(_relay);
        ReplyOutcome reply = _zones.Responder.Respond(room, octets.Length, ref origin, _relay, ref call, Steps);
        return reply.Octets == 0 ? null : Reply.Read(room[..reply.Octets]);
    }
}
