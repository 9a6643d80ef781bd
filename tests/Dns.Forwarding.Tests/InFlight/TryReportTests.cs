using Xunit;

namespace Dns.Forwarding.Tests;

public class TryReportTests
{
    [Fact]
    public void Who_waits_is_told_of_each_sending_and_what_became_of_it()
    {
        ForwarderRig rig = new(upstreams: 3);
        rig.Upstreams[0].IsDead = true;
        rig.Upstreams[1].Script = query => query.Fail(Rcode.ServFail);
        rig.Upstreams[2].Script = query =>
        {
            if (query.IsStream) query.Answer();
            else query.Reply(query.Message(0x8380, []));
        };
        ScriptedWaiter waiter = rig.Resolve("www.example A");
        Assert.Equal(
            ["192.0.2.1:53 udp TimedOut", "192.0.2.2:53 udp Refused", "192.0.2.3:53 udp Truncated",
                "192.0.2.3:53 tcp Answered"],
            waiter.Tries.Select(one => $"{one.Upstream} {one.Transport} {one.Outcome}"));
        Assert.Equal(TimeSpan.Zero, waiter.Tries[3].EndedAgo);
        Assert.All(waiter.Tries, one => Assert.True(one.SentAgo >= one.EndedAgo && one.EndedAgo >= TimeSpan.Zero));
        Assert.Equal(waiter.Tries.Select(one => one.SentAgo).OrderDescending(),
            waiter.Tries.Select(one => one.SentAgo));
        Assert.True(waiter.Tries[0].SentAgo <= TimeSpan.FromMilliseconds(waiter.WaitedMs + 1));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_failure_tells_of_its_sendings_too_and_a_question_that_comes_later_has_none_of_them()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstreams[0].Script = query => query.Fail(Rcode.Refused);
        rig.Upstreams[1].IsUnreachable = true;
        ScriptedWaiter waiter = rig.Resolve("www.example A");
        Assert.Equal(Rcode.ServFail, waiter.Answer.Rcode);
        Assert.Equal([TryOutcome.NetworkError, TryOutcome.Refused],
            waiter.Tries.Select(one => one.Outcome).Distinct().Order());
        rig.Upstreams[0].Script = query => query.Answer();
        Assert.Equal(TryOutcome.Answered, Assert.Single(rig.Resolve("other.example A").Tries).Outcome);
    }
}
