using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>
/// One client queries names that its upstream answers late or never; other clients are still answered.
/// </summary>
public class SlowNameTests
{
    private const int Seconds = 30;
    private static readonly TimeSpan Turn = TimeSpan.FromMilliseconds(10);

    [Theory]
    [InlineData(60, double.PositiveInfinity, 1)]
    [InlineData(60, double.PositiveInfinity, 2)]
    [InlineData(120, 900, 1)]
    [InlineData(120, 900, 2)]
    [InlineData(600, 900, 1)]
    [InlineData(600, double.PositiveInfinity, 1)]
    public void Slow_names_of_one_client_cost_the_others_no_answer(int namesPerSecond, double answeredAfterMs,
        int upstreams)
    {
        ForwarderRig rig = new(upstreams: upstreams);
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.Script = query => Answer(query, answeredAfterMs);
        List<ScriptedWaiter> others = [];
        int asked = 0;
        for (int turn = 0; turn < Seconds * 100; turn++)
        {
            for (; asked < (turn + 1) * namesPerSecond / 100; asked++)
                rig.TryAsk($"slow{asked}.example", new ScriptedWaiter(rig.Clock));
            // Seldom enough that nothing else is heard of an upstream for a while.
            if (turn % 70 == 69) others.Add(rig.Ask($"n{turn}.example", client: $"198.51.100.{2 + turn % 250}:1000"));
            rig.Clock.Advance(Turn);
            Assert.All(rig.Forwarder.Upstreams, status => Assert.Equal(UpstreamState.Up, status.State));
        }
        rig.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.All(others, waiter => Assert.Equal((1, Rcode.NoError), (waiter.Times, waiter.Answer.Rcode)));
        Assert.All(others, waiter => Assert.InRange(waiter.WaitedMs, 10, 12));
        rig.AssertNothingIsLeft();
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
    }

    private static void Answer(ScriptedQuery query, double slowAfterMs)
    {
        if (!query.Text.StartsWith("slow", StringComparison.Ordinal)) query.Answer();
        else if (double.IsFinite(slowAfterMs)) query.Answer(slowAfterMs);
    }
}
