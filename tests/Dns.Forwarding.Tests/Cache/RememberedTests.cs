using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>What the forwarder answers without asking.</summary>
public class RememberedTests
{
    private static ForwarderRig NoNames()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.Message(0x8183, [ScriptedQuery.Soa()], isNegative: true));
        return rig;
    }

    [Fact]
    public void An_answer_is_given_until_its_end_and_then_asked_for_again()
    {
        ForwarderRig rig = new();
        rig.Resolve("www.example");
        Assert.Equal(CacheState.Fresh, rig.Known("www.example", out RelayedAnswer answer));
        Assert.Equal(1, answer.AnswerCount);
        rig.Clock.Advance(TimeSpan.FromDays(1));
        Assert.Equal(CacheState.Miss, rig.Known("www.example", out answer));
        rig.Resolve("www.example");
        Assert.Equal(2, rig.Upstream.Asked);
    }

    [Fact]
    public void Names_below_one_that_does_not_exist_are_not_asked_for()
    {
        ForwarderRig rig = NoNames();
        rig.Resolve("no.example");
        Assert.Equal(CacheState.Fresh, rig.Known("a.b.no.example TXT", out RelayedAnswer answer));
        Assert.Equal(Rcode.NXDomain, answer.Rcode);
        Assert.Equal(CacheState.Fresh, rig.Known("no.example MX", out _));
        Assert.Equal(CacheState.Miss, rig.Known("other.example", out _));
        CacheCounters counters = rig.Forwarder.Cache.Counters;
        Assert.Equal((2, 1), (counters.Hits, counters.Misses));
    }

    [Fact]
    public void A_failure_a_moment_ago_gives_the_old_answer()
    {
        ForwarderRig rig = new();
        rig.Resolve("www.example");
        rig.Clock.Advance(TimeSpan.FromHours(20));
        rig.Upstream.Script = query => query.Fail(Rcode.ServFail);
        rig.Resolve("www.example");
        Assert.Equal(CacheState.Stale, rig.Known("www.example", out RelayedAnswer answer));
        Assert.Equal((1, ExtendedErrorCode.StaleAnswer), (answer.AnswerCount, answer.Error!.Value));
    }
}
