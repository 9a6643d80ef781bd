using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Dns.Management.Tests.Admin;

/// <summary>What the status page is made of: the query, the list of zones, the axes.</summary>
public class StatusPartsTests
{
    [Fact]
    public void Zones_with_errors_come_first_and_pages_and_search_are_bounded()
    {
        TelemetrySources sources = new();
        for (int i = 0; i < 120; i++) sources.AddZone($"z{i:000}.test.", ZoneState.Serving);
        sources.AddZone("good.test.", ZoneState.Serving);
        sources.AddZone("old.test.", ZoneState.Stale, "line 3");
        sources.AddZone("bad.test.", ZoneState.Failed, "line 4");
        ZonePage first = ZonePage.Of(sources.All.Zones.Zones, "", 1, 50),
            last = ZonePage.Of(sources.All.Zones.Zones, "", 99, 50);
        Assert.Equal(["bad.test.", "old.test."], first.Zones.Take(2).Select(zone => zone.Name));
        Assert.Equal((50, 123, 3), (first.Zones.Count, first.Matches, first.Last));
        Assert.Equal((3, 23), (last.Number, last.Zones.Count));
        Assert.Equal("z119.test.", last.Zones[^1].Name);
        Assert.Equal(["z007.test."],
            ZonePage.Of(sources.All.Zones.Zones, "Z007", 1, 50).Zones.Select(zone => zone.Name));
        Assert.Equal((0, 1, 1), (ZonePage.Of(sources.All.Zones.Zones, "none", 4, 50).Matches,
            ZonePage.Of(sources.All.Zones.Zones, "none", 4, 50).Number,
            ZonePage.Of(sources.All.Zones.Zones, "none", 4, 50).Last));
    }

    [Theory]
    [InlineData(null, null, HistoryRange.FiveMinutes, 1)]
    [InlineData("1h", "3", HistoryRange.Hour, 3)]
    [InlineData("start", "0", HistoryRange.Start, 1)]
    [InlineData("2 weeks", "-4", HistoryRange.FiveMinutes, 1)]
    [InlineData("5min", "99999999999", HistoryRange.FiveMinutes, 1)]
    internal void What_an_address_asks_for_is_read(string? range, string? page, HistoryRange expectedRange,
        int expectedPage)
    {
        StatusQuery query = StatusQuery
            .Of(new QueryCollection(new Dictionary<string, StringValues> { ["range"] = range, ["page"] = page }));
        Assert.Equal((expectedRange, expectedPage), (query.Range, query.Page));
        Assert.Null(query.Lookup.Name);
    }

    [Fact]
    public void An_address_says_what_it_was_read_from()
    {
        StatusQuery query = new(HistoryRange.Hour, "a&b\"", 2) { Lookup = ("x#y", "MX", null) };
        Assert.Equal("?range=1h&zones=a%26b%22&page=2&name=x%23y&type=MX", query.ToAddress());
    }

    [Theory]
    [InlineData(new double[0], new double[] { 0, 0.5, 1 })]
    [InlineData(new double[] { 3, 7 }, new double[] { 0, 2, 4, 6, 8 })]
    [InlineData(new double[] { 1000 }, new double[] { 0, 500, 1000 })]
    [InlineData(new double[] { 533 }, new double[] { 0, 200, 400, 600 })]
    public void Marks_of_a_linear_axis_are_round(double[] values, double[] expected) =>
        Assert.Equal(expected, ChartScale.Linear(values).Marks);

    [Fact]
    public void Marks_of_a_logarithmic_axis_are_powers_of_ten_around_all_values()
    {
        ChartScale scale = ChartScale.Logarithmic([0.00005, 0.02]);
        Assert.Equal([1e-5, 1e-4, 1e-3, 1e-2, 1e-1], scale.Marks, (a, b) => Math.Abs(a / b - 1) < 1e-9);
        Assert.Equal(0.5, scale.PartOf(1e-3), 9);
        Assert.Equal(0, scale.PartOf(0));
        Assert.Equal(1, scale.PartOf(5));
        Assert.Equal(2, ChartScale.Logarithmic([1e-3, 1e-3]).Marks.Count);
        Assert.True(ChartScale.Logarithmic([]).Marks.Count >= 2);
    }

    [Theory]
    [InlineData(0.0000051, "5.1 µs")]
    [InlineData(0.02295, "22.95 ms")]
    [InlineData(1.5, "1.5 s")]
    [InlineData(null, "–")]
    public void Times_have_the_unit_that_suits_them(double? seconds, string expected) =>
        Assert.Equal(expected, StatusText.Seconds(seconds));
}
