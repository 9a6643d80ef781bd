using Xunit;

namespace Dns.Forwarding.Tests;

public class EndingTests
{
    /// <summary>Behaviours of the upstream, and the clients' answers.</summary>
    public static TheoryData<string, string> Endings => new()
    {
        { "answer", "10.208.77.244" }, { "nxdomain", "NXDOMAIN" }, { "servfail", "SERVFAIL 23" },
        { "refused", "SERVFAIL 22" },
        { "silence", "SERVFAIL 22" }, { "truncated", "10.208.77.244" }, { "truncated for ever", "SERVFAIL 23" },
        { "letter case", "10.208.77.244" },
        { "garbage", "SERVFAIL 23" }, { "twice", "10.208.77.244" }, { "unreachable", "SERVFAIL 23" },
        { "no sockets", "SERVFAIL 23" },
        { "stream refused", "SERVFAIL 23" }, { "formerr", "SERVFAIL 23" }, { "badcookie", "SERVFAIL 23" },
    };

    [Theory]
    [MemberData(nameof(Endings))]
    public void Nothing_is_left_after_any_ending(string ending, string result)
    {
        ForwarderRig rig = new();
        Script(rig, ending);
        ScriptedWaiter[] waiters = [.. Enumerable.Range(0, 10).Select(_ => rig.Ask("www.example"))];
        rig.Clock.Advance(5100);
        string expected =
            result.StartsWith("10.", StringComparison.Ordinal) ? ScriptedQuery.TrueAddress("www.example.") : result;
        Assert.All(waiters, waiter => Assert.Equal((1, expected), (waiter.Times, waiter.Result)));
        Assert.InRange(rig.Upstream.Asked, 0, UpstreamQuery.MaxSends);
        rig.AssertNothingIsLeft();
    }

    private static void Script(ForwarderRig rig, string ending)
    {
        rig.Network.MaxPorts = ending == "no sockets" ? 0 : int.MaxValue;
        rig.Upstream.IsUnreachable = ending == "unreachable";
        rig.Upstream.RefusesStreams = ending == "stream refused";
        rig.Upstream.Script = query =>
        {
            byte[] lower = [.. query.Question.Select(WireName.ToLower)];
            switch (ending)
            {
                case "nxdomain": query.Reply(query.Message(0x8183, [ScriptedQuery.Soa()], isNegative: true)); break;
                case "servfail": query.Fail(Rcode.ServFail); break;
                case "refused": query.Fail(Rcode.Refused); break;
                case "formerr": query.Fail(Rcode.FormErr); break;
                case "silence": break;
                case "truncated" when query.IsStream: query.Answer(); break;
                case "truncated" or "truncated for ever" or "stream refused": query.Reply(query.Message(0x8380, []));
                break;
                case "letter case": query.Reply(query.Message(0x8180,
                    [ScriptedQuery.Address(ScriptedQuery.TrueAddress(query.Text))], question: lower)); break;
                case "garbage": query.Reply([.. query.TrueAnswer()[..^3]]); break;
                case "badcookie": query.Reply(query.Message(0x8187, [], options: [], extendedRcode: 1)); break;
                case "twice":
                    query.Answer(10);
                    query.Answer(10);
                    query.Answer(500);
                    break;
                default: query.Answer(); break;
            }
        };
    }

    [Fact]
    public void All_upstreams_dead_is_a_server_failure_with_its_reason_within_two_seconds()
    {
        ForwarderRig rig = new(upstreams: 3);
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.IsDead = true;
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal("SERVFAIL 22", waiter.Result);
        Assert.InRange(waiter.WaitedMs, 1770, 1800);
        rig.Clock.Advance(TimeSpan.FromSeconds(3.3));
        Assert.Equal(UpstreamQuery.MaxSends, rig.Upstreams.Sum(upstream => upstream.Asked));
        Assert.Equal(CacheState.Failure, rig.Known("www.example", out RelayedAnswer failure));
        Assert.Equal(Rcode.ServFail, failure.Rcode);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(9.9)]
    public void A_question_has_ended_when_its_deadline_is_there(double startMs)
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Answer(6000);
        rig.Clock.Advance(startMs);
        rig.Ask("www.example");
        rig.Clock.Advance(rig.Options.Deadline - TimeSpan.FromMilliseconds(50));
        Assert.Equal(1, rig.Forwarder.InFlight);
        rig.Clock.Advance(50);
        Assert.Equal(0, rig.Forwarder.InFlight);
    }

    [Fact]
    public void Upstreams_that_all_refuse_end_a_question_at_once()
    {
        ForwarderRig rig = new(upstreams: 3);
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.Script = query => query.Fail(Rcode.Refused);
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal("SERVFAIL 22", waiter.Result);
        Assert.InRange(waiter.WaitedMs, 30, 40);
    }

    [Fact]
    public void A_client_gets_an_old_answer_within_1800_ms_and_asking_goes_on()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 5));
        string address = rig.Resolve("www.example").Result;
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        rig.Upstream.Script = query => query.Answer(4000 - query.At.TotalMilliseconds % 1000);
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal((address, ExtendedErrorCode.StaleAnswer), (waiter.Result, waiter.Answer.Error));
        Assert.InRange(waiter.WaitedMs, 1780, 1800);
        Assert.Equal(1, rig.Forwarder.InFlight);
        ScriptedWaiter second = rig.Ask("www.example");
        Assert.Equal(1, second.Times);
        rig.Clock.Advance(3000);
        Assert.Equal(CacheState.Fresh, rig.Known("www.example", out _));
        Assert.Equal((1, 1), (waiter.Times, second.Times));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_popular_answer_is_asked_for_again_before_its_end_and_nobody_waits()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 100));
        rig.Resolve("www.example");
        for (int i = 0; i < 19; i++)
        {
            Assert.Equal(CacheState.Fresh, rig.Known("www.example", out _));
            rig.Clock.Advance(TimeSpan.FromSeconds(5));
        }
        Assert.Equal((2, 1), (rig.Upstream.Asked, (int)rig.Forwarder.Counters.Refreshed));
        rig.Clock.Advance(TimeSpan.FromSeconds(50));
        Assert.Equal(CacheState.Fresh, rig.Known("www.example", out _));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_failure_that_is_remembered_gives_way_to_an_old_answer()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 5));
        rig.Resolve("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(10));
        rig.Upstream.Script = query => query.Fail(Rcode.ServFail);
        ScriptedWaiter waiter = rig.Resolve("www.example");
        Assert.Equal(ExtendedErrorCode.StaleAnswer, waiter.Answer.Error);
        Assert.Equal(CacheState.Stale, rig.Known("www.example", out RelayedAnswer answer));
        Assert.Equal(Rcode.NoError, answer.Rcode);
    }
}
