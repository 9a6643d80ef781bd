namespace Dns.Dnssec.Tests;

/// <summary>Serials of signed versions by policy.</summary>
public sealed class SerialPolicyTests
{
    private static readonly uint Unix = (uint)Plans.Now.ToUnixTimeSeconds();

    [Theory]
    [InlineData(SerialPolicy.Increment, 5u, null, 6u)]
    [InlineData(SerialPolicy.Increment, 5u, 5u, 6u)]
    [InlineData(SerialPolicy.Increment, 5u, 9u, 10u)]
    [InlineData(SerialPolicy.Increment, 12u, 9u, 12u)]
    [InlineData(SerialPolicy.Increment, 0u, uint.MaxValue, 0u)]
    [InlineData(SerialPolicy.Increment, uint.MaxValue, null, 0u)]
    [InlineData(SerialPolicy.Increment, uint.MaxValue, uint.MaxValue, 0u)]
    [InlineData(SerialPolicy.Keep, 5u, 9u, 5u)]
    [InlineData(SerialPolicy.Keep, 5u, null, 5u)]
    [InlineData(SerialPolicy.UnixTime, uint.MaxValue >> 1, null, (uint.MaxValue >> 1) + 1)]
    [InlineData(SerialPolicy.DateSerial, 5u, null, 2026010200u)]
    [InlineData(SerialPolicy.DateSerial, 5u, 2026010200u, 2026010201u)]
    [InlineData(SerialPolicy.DateSerial, 5u, 2026010299u, 2026010300u)]
    [InlineData(SerialPolicy.DateSerial, 2027010100u, null, 2027010101u)]
    public void The_next_serial_is_that_of_the_policy(SerialPolicy policy, uint source, uint? previous,
        uint expected) =>
        Assert.Equal(expected, SerialPolicies.Next(policy, source, previous, Plans.Now));

    [Fact]
    public void Unix_time_goes_on_by_one_within_a_second()
    {
        Assert.Equal(Unix, SerialPolicies.Next(SerialPolicy.UnixTime, 1, null, Plans.Now));
        Assert.Equal(Unix + 1, SerialPolicies.Next(SerialPolicy.UnixTime, 1, Unix, Plans.Now));
        Assert.Equal(Unix + 9, SerialPolicies.Next(SerialPolicy.UnixTime, Unix + 9, Unix, Plans.Now));
    }

    [Theory]
    [InlineData("unixtime", true), InlineData("DateSerial", true), InlineData("keep", true), InlineData("1", false),
        InlineData("", false)]
    public void Policies_are_read_by_name(string text, bool isPolicy) =>
        Assert.Equal(isPolicy, SerialPolicies.TryParse(text, out _));
}
