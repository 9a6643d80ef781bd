using Dns.Testing;

namespace Dns.Transport.Tests;

public sealed class DescriptorLimitTests
{
    [Theory]
    [InlineData(10_000, 1_048_576, 10_000)]
    [InlineData(10_000, 1024, 768)]
    [InlineData(10_000, 100, 50)]
    [InlineData(100, 1024, 100)]
    [InlineData(0, 1024, 1)]
    [InlineData(10_000, 0, 1)]
    public void Connections_leave_descriptors_for_the_rest(int wished, int files, int afforded) =>
        Assert.Equal(afforded, DescriptorLimit.Afford(wished, (ulong)files));

    [LinuxFact]
    public void A_limit_that_is_lowered_is_told()
    {
        TcpLimits asked = new() { MaxConnections = int.MaxValue };
        TcpLimits limits = DescriptorLimit.Apply(asked);
        Assert.True(limits.MaxConnections < int.MaxValue);
        Assert.Contains(
            $"limited to {limits.MaxConnections} instead of {int.MaxValue}", DescriptorLimit.Explain(asked, limits));
    }

    [LinuxFact]
    public void Files_of_other_parts_of_the_process_are_not_afforded()
    {
        TcpLimits asked = new() { MaxConnections = int.MaxValue };
        int alone = DescriptorLimit.Apply(asked).MaxConnections;
        Assert.Equal(alone - 100, DescriptorLimit.Apply(asked, others: 100).MaxConnections);
    }

    [Fact]
    public void A_limit_that_is_afforded_is_left_alone()
    {
        TcpLimits asked = new() { MaxConnections = 2 };
        Assert.Equal(asked, DescriptorLimit.Apply(asked));
        Assert.Null(DescriptorLimit.Explain(asked, asked));
    }
}
