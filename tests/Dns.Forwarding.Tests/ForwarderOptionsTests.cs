using Xunit;

namespace Dns.Forwarding.Tests;

public class ForwarderOptionsTests
{
    [Fact]
    public void Nobody_may_recurse_unless_it_is_said() => Assert.Empty(new ForwarderOptions().AllowFrom);

    [Fact]
    public void The_default_cache_is_above_its_least_size() =>
        Assert.InRange(new CacheOptions().MaxBytes, CacheOptions.LeastBytes, long.MaxValue);
}
