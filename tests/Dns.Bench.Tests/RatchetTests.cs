using Xunit;

namespace Dns.Bench.Tests;

/// <summary>What the gates of dnsbench make of measured and recorded figures.</summary>
public class RatchetTests
{
    private static readonly Ratchet Ratchet = new("none.json", "steps", recorded => recorded * 0.03);

    [Theory]
    [InlineData(103)]
    [InlineData(97)]
    public void A_difference_within_the_tolerance_is_none(double measured) => Assert.Empty(Compare(measured, 100));

    [Fact]
    public void A_rise_fails_and_names_both_figures()
    {
        RatchetResult diagnostic = Assert.Single(Compare(104, 100));
        Assert.True(diagnostic.IsFailure);
        Assert.Equal("a: 104 steps, more than the 100 recorded", diagnostic.Text);
    }

    [Fact]
    public void A_fall_passes_and_asks_for_a_lower_record()
    {
        RatchetResult diagnostic = Assert.Single(Compare(96, 100));
        Assert.False(diagnostic.IsFailure);
        Assert.Contains("--write", diagnostic.Text);
    }

    [Fact]
    public void A_benchmark_that_is_not_listed_fails() => Assert.True(Assert.Single(Compare(1, null)).IsFailure);

    [Fact]
    public void A_listed_benchmark_that_is_gone_fails() => Assert.True(Assert.Single(Compare(null, 1)).IsFailure);

    [Theory]
    [InlineData(104, 102, 102)]
    [InlineData(104, 105, 104)]
    public void A_rise_is_measured_once_more_and_the_smaller_figure_holds(double first, double second, double holds)
    {
        Dictionary<string, double> measured = Of(first);
        List<string> repeated = [];
        Ratchet.Repeat(measured, Of(100), name =>
        {
            repeated.Add(name);
            return second;
        });
        Assert.Equal(["a"], repeated);
        Assert.Equal(holds, measured["a"]);
    }

    [Fact]
    public void What_did_not_rise_is_measured_once()
    {
        Dictionary<string, double> measured = Of(103);
        Ratchet.Repeat(measured, Of(100), name => throw new InvalidOperationException(name));
        Assert.Equal(103, measured["a"]);
    }

    private static IEnumerable<RatchetResult> Compare(double? measured, double? recorded) =>
        Ratchet.Compare(Of(measured), Of(recorded));

    private static Dictionary<string, double> Of(double? figure) => figure is { } value ? new() { ["a"] = value } : [];
}
