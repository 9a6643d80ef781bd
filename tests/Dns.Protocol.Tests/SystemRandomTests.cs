using Xunit;

namespace Dns.Protocol.Tests;

/// <summary>Octets for keys and seeds.</summary>
public sealed class SystemRandomTests
{
    [Theory]
    [InlineData(1), InlineData(8), InlineData(14), InlineData(15), InlineData(40)]
    public void Each_bit_is_set_about_half_of_the_time(int length)
    {
        const int Draws = 4000;
        int[] counts = new int[length * 8];
        byte[] octets = new byte[length];
        for (int i = 0; i < Draws; i++)
        {
            SystemRandom.Fill(octets);
            for (int bit = 0; bit < counts.Length; bit++) counts[bit] += octets[bit / 8] >> bit % 8 & 1;
        }
        // Eight standard deviations.
        Assert.All(counts, count => Assert.InRange(count, Draws / 2 - 253, Draws / 2 + 253));
    }

    [Fact]
    public void Numbers_do_not_repeat() =>
        Assert.Equal(1000, Enumerable.Range(0, 1000).Select(_ => SystemRandom.UInt64()).Distinct().Count());
}
