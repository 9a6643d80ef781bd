namespace Dns.Telemetry.Tests;

public class TimeClassesTests
{
    [Theory]
    [InlineData(-5, 0)]
    [InlineData(0, 0)]
    [InlineData(1024, 0)]
    [InlineData(1025, 1)]
    [InlineData(2048, 1)]
    [InlineData(2049, 2)]
    [InlineData(8_589_934_592, 23)]
    [InlineData(8_589_934_593, 24)]
    [InlineData(long.MaxValue, 24)]
    public void A_time_is_in_the_class_whose_upper_end_it_does_not_exceed(long nanoseconds, int expected)
    {
        Assert.Equal(expected, TimeClasses.Of(nanoseconds));
        Assert.True(nanoseconds / 1e9 <= TimeClasses.UpperSeconds(expected));
        if (expected > 0) Assert.True(nanoseconds / 1e9 > TimeClasses.UpperSeconds(expected - 1));
    }

    [Fact]
    public void Quantiles_lie_in_the_class_that_holds_them()
    {
        long[] counts = new long[TimeClasses.Count];
        counts[0] = 90;
        counts[10] = 10;
        Assert.InRange(TimeClasses.QuantileSeconds(counts, 0.5), 0.4e-6, 0.7e-6);
        Assert.InRange(TimeClasses.QuantileSeconds(counts, 0.99), TimeClasses.UpperSeconds(9),
            TimeClasses.UpperSeconds(10));
    }

    [Fact]
    public void Quantiles_of_nothing_are_zero() =>
        Assert.Equal(0, TimeClasses.QuantileSeconds(new long[TimeClasses.Count], 0.99));

    [Fact]
    public void Of_the_open_class_the_lower_end_is_told()
    {
        long[] counts = new long[TimeClasses.Count];
        counts[^1] = 1;
        Assert.Equal(TimeClasses.UpperSeconds(TimeClasses.Count - 2), TimeClasses.QuantileSeconds(counts, 0.5));
    }
}
