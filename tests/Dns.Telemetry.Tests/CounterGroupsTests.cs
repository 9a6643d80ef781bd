namespace Dns.Telemetry.Tests;

public class CounterGroupsTests
{
    [Fact]
    public void Each_verdict_of_the_rate_limit_has_its_own_count() =>
        Assert.Equal(
            [new("passed", 1), new("dropped", 2), new("slipped", 3), new NamedCount("would_drop", 4)],
            CounterGroups.RateLimit(new RateLimitCounters(1, 2, 3, 4)));
}
