using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>RFC 5452: what a reply must match to be accepted.</summary>
public class ReplyMatchingTests
{
    private static readonly string True = ScriptedQuery.TrueAddress("www.example.");

    /// <summary>Forgeries, each wrong in one thing.</summary>
    public static TheoryData<string> Forgeries => 
    [
        "id", "name", "type", "class", "qr", "opcode", "no question", "two questions", "short", "bare", "junk",
    ];

    [Theory]
    [MemberData(nameof(Forgeries))]
    public void A_forged_reply_is_counted_and_the_true_one_waited_for(string forgery)
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            query.Reply(Forge(query, forgery), 5);
            query.Answer(100);
        };
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal((1, True), (waiter.Times, waiter.Result));
        Assert.Equal(1, rig.Forwarder.Upstreams[0].Mismatched);
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        Assert.Equal(1, rig.Upstream.Asked);
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData("cut off")]
    [InlineData("damaged")]
    [InlineData("cut off, and without the cookie")]
    public void A_reply_that_matches_but_cannot_be_read_is_retried_over_tcp_at_once(string fault)
    {
        ForwarderRig rig = new();
        byte[][] Cookie(ScriptedQuery query) => fault.EndsWith("cookie", StringComparison.Ordinal)
            ? [WireOctets.Option(EdnsOptionCode.Cookie, [.. query.Cookie[..8], .. WireOctets.Hex("A1A2A3A4A5A6A7A8")])]
            : [];
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(options: Cookie(query)));
        rig.Resolve("ftp.example");
        rig.Upstream.Script = query =>
        {
            byte[] reply = query.TrueAnswer(options: Cookie(query));
            // RDATA of an address with another length.
            if (fault == "damaged") reply[^16] = 3;
            else if (!query.IsStream) reply = reply[..^3];
            query.Reply(query.IsStream ? query.TrueAnswer(options: Cookie(query)) : reply);
        };
        TimeSpan began = rig.Clock.Elapsed;
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false, false, true], rig.Upstream.Queries.Select(query => query.IsStream));
        Assert.InRange(rig.Clock.Elapsed - began, TimeSpan.Zero, TimeSpan.FromMilliseconds(100));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_reply_that_cannot_be_read_over_tcp_either_leads_to_the_next_upstream_at_once()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer()[..^3]);
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false, true], rig.Upstream.Queries.Select(query => query.IsStream));
        Assert.InRange(rig.Clock.Elapsed, TimeSpan.Zero, TimeSpan.FromMilliseconds(200));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Octets_behind_a_reply_are_ignored()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply([.. query.TrueAnswer(), 0, 1, 2]);
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false], rig.Upstream.Queries.Select(query => query.IsStream));
    }

    [Fact]
    public void A_reply_from_another_address_or_port_does_not_arrive()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            foreach (string source in new[] { "192.0.2.1:54", "192.0.2.77:53" })
                rig.Network.Deliver(IPEndPoint.Parse(source), query.Port, query.Forge(), TimeSpan.FromMilliseconds(1));
            rig.Network.Deliver(query.Upstream.Address, query.Port ^ 1, query.Forge(), TimeSpan.FromMilliseconds(1));
            query.Answer(50);
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal(3, rig.Network.Undeliverable);
    }

    [Fact]
    public void A_reply_in_another_letter_case_is_never_taken_over_udp_and_the_upstream_is_asked_over_tcp_from_then_on()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.IsStream) query.Answer();
            else query.Reply(query.Forge(question: [.. query.Question.Select(WireName.ToLower)]));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false, true], rig.Upstream.Queries.Select(query => query.IsStream));
        UpstreamStatus status = rig.Forwarder.Upstreams[0];
        Assert.Equal((true, 1), (status.IsStreamOnly, status.StreamFallbacks));
        rig.Resolve("ftp.example");
        Assert.Equal([false, true, true], rig.Upstream.Queries.Select(query => query.IsStream));
        rig.Clock.Advance(TimeSpan.FromHours(1));
        Assert.False(rig.Forwarder.Upstreams[0].IsStreamOnly);
    }

    [Fact]
    public void An_upstream_that_was_asked_over_tcp_and_takes_it_no_more_is_asked_over_udp_again()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.IsStream) query.Answer();
            else query.Reply(query.Forge(question: [.. query.Question.Select(WireName.ToLower)]));
        };
        rig.Resolve("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(20));
        rig.Upstream.RefusesStreams = true;
        rig.Upstream.Script = query => query.Answer();
        Assert.Equal(ScriptedQuery.TrueAddress("n1.example."), rig.Resolve("n1.example").Result);
        Assert.False(rig.Forwarder.Upstreams[0].IsStreamOnly);
    }

    [Fact]
    public void An_upstream_may_change_case_where_randomization_is_switched_off()
    {
        ForwarderRig rig = new(new() { RandomizesCase = false });
        rig.Upstream.Script = query =>
        {
            Assert.Equal(query.Question.Select(WireName.ToLower), query.Question);
            query.Reply(query.Message(0x8180, [ScriptedQuery.Address(True)],
                question: [.. query.Question.Select(octet => octet == 'w' ? (byte)'W' : octet)]));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal(1, rig.Upstream.Asked);
    }

    [Fact]
    public void Many_guesses_at_one_question_have_it_asked_over_tcp()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.Script = query =>
        {
            if (query.IsStream)
            {
                query.Answer();
                return;
            }
            for (int id = 1; id < 100; id++) query.Reply(query.Forge(id: query.Id + id & 0xFFFF), id * 0.1);
            // This one would match: but datagrams are ignored by now.
            query.Reply(query.Forge(), 5);
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false, true], rig.Upstream.Queries.Select(query => query.IsStream));
        Assert.Equal(UpstreamState.Up, rig.Forwarder.Upstreams[0].State);
        Assert.False(rig.Forwarder.Upstreams[0].IsStreamOnly);
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(TryLadder.GuessesBeforeStream - 1, false)]
    [InlineData(TryLadder.GuessesBeforeStream, true)]
    public void The_eighth_guess_at_a_question_has_it_asked_over_tcp(int guesses, bool isStream)
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            for (int id = 1; id <= guesses && !query.IsStream; id++)
                query.Reply(query.Forge(id: query.Id + id & 0xFFFF), id * 0.1);
            query.Answer(50);
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal(isStream ? [false, true] : [false], rig.Upstream.Queries.Select(query => query.IsStream));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Guesses_without_a_question_count_for_every_question_on_their_path()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 1 });
        rig.Upstream.Script = query =>
        {
            if (!query.IsStream && query.Text.StartsWith("last", StringComparison.Ordinal))
                for (int id = 1; id <= 2000; id++)
                    query.Reply([.. WireOctets.UInt16(query.Id + id & 0xFFFF), 0x81, 0x82, .. new byte[8]], id * 0.01);
            query.Answer(50);
        };
        foreach (string name in new[] { "first.example", "second.example", "last.example" }) rig.Ask(name);
        rig.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([false, false, false, true, true, true], rig.Upstream.Queries.Select(query => query.IsStream));
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void After_guesses_an_upstream_that_takes_no_tcp_is_asked_once_more_from_a_fresh_port(bool isRefused)
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 2 });
        rig.Resolve("a.example");
        rig.Resolve("b.example");
        int[] known = [.. rig.Upstream.Queries.Select(query => query.Port)];
        rig.Upstream.Queries.Clear();
        rig.Upstream.RefusesStreams = isRefused;
        rig.Upstream.Script = query =>
        {
            if (query.IsStream) return;
            if (rig.Upstream.Queries.Count > 1) query.Answer();
            else for (int id = 1; id < 100; id++) query.Reply(query.Forge(id: query.Id + id & 0xFFFF), id * 0.1);
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal(isRefused ? [false, false] : [false, true, false],
            rig.Upstream.Queries.Select(query => query.IsStream));
        Assert.Equal(1, rig.Network.OpenedStreams);
        Assert.DoesNotContain(rig.Upstream.Queries[^1].Port, known.Append(rig.Upstream.Queries[0].Port));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Guesses_without_end_at_a_question_to_an_upstream_without_tcp_leave_it_without_an_answer()
    {
        ForwarderRig rig = new();
        rig.Upstream.RefusesStreams = true;
        rig.Upstream.Script = query =>
        {
            if (query.IsStream) return;
            for (int id = 1; id < 100; id++) query.Reply(query.Forge(id: query.Id + id & 0xFFFF), id * 0.1);
            query.Answer(50);
        };
        Assert.Equal("SERVFAIL 23", rig.Resolve("www.example").Result);
        Assert.Equal([false, false], rig.Upstream.Queries.Select(query => query.IsStream));
        Assert.Equal(2, rig.Network.OpenedStreams);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Guesses_at_another_question_do_not_count_against_this_one()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            byte[] other = [.. query.Question];
            other[2] ^= 3;
            for (int id = 1; id < 100; id++)
                query.Reply(query.Forge(id: query.Id + id & 0xFFFF, question: other), id * 0.1);
            query.Answer(50);
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal(1, rig.Upstream.Asked);
    }

    [Fact]
    public void Sixty_four_kilobytes_of_junk_over_a_stream_are_no_answer()
    {
        ForwarderRig rig = new();
        rig.Upstream.StreamPieceOctets = 1000;
        rig.Upstream.Script = query =>
        {
            byte[] junk = new byte[65535];
            new Random(1).NextBytes(junk);
            byte[] message = query.Message(0x8180, []);
            message.CopyTo(junk, 0);
            junk[6] = junk[7] = junk[8] = junk[9] = 0xFF;
            query.Reply(query.IsStream ? junk : query.Message(0x8380, []));
        };
        Assert.Equal("SERVFAIL 23", rig.Resolve("www.example").Result);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_datagram_of_junk_for_hours_costs_one_query_more_and_nothing_else()
    {
        ForwarderRig rig = new();
        Random random = new(5);
        rig.Upstream.Script = query =>
        {
            for (int i = 0; i < 500; i++)
            {
                byte[] junk = new byte[random.Next(0, 200)];
                random.NextBytes(junk);
                query.Reply(junk, i * 0.01);
            }
            query.Answer(20);
        };
        for (int i = 0; i < 100; i++)
            Assert.Equal(ScriptedQuery.TrueAddress($"n{i}.example."), rig.Resolve($"n{i}.example").Result);
        Assert.InRange(rig.Upstream.Asked, 100, 110);
        Assert.InRange(rig.Forwarder.Upstreams[0].Mismatched, 49_000, 50_000);
        rig.AssertNothingIsLeft();
    }

    private static byte[] Forge(ScriptedQuery query, string forgery)
    {
        byte[] question = [.. query.Question];
        switch (forgery)
        {
            case "id": return query.Forge(id: query.Id ^ 1);
            case "name": question[1] ^= 1; break;
            case "type": question[^3] = 28; break;
            case "class": question[^1] = 3; break;
            case "qr": return query.Forge(flags: 0x0180);
            case "opcode": return query.Forge(flags: 0x8180 | 0x2800);
            case "no question": return [.. query.Forge()[..4], 0, 0, .. query.Forge()[6..]];
            case "two questions": return [.. query.Forge()[..4], 0, 2, .. query.Forge()[6..]];
            case "short": return query.Forge()[..7];
            case "bare": return [.. query.Message(0x8180, [])[..4], 0, 0, 0, 0, 0, 0, 0, 0];
            default: return [.. Enumerable.Repeat((byte)0xC0, 600)];
        }
        return query.Forge(question: question);
    }
}
