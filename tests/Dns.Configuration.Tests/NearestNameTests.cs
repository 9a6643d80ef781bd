namespace Dns.Configuration.Tests;

public class NearestNameTests
{
    private static readonly string[] Names = ["Listen", "Identity", "Zones", "Udp", "Tcp"];

    [Theory]
    [InlineData("Listn", "Listen")]
    [InlineData("LISTEN", "Listen")]
    [InlineData("Identty", "Identity")]
    [InlineData("Zone", "Zones")]
    [InlineData("Upd", "Udp")]
    [InlineData("Liste", "Listen")]
    [InlineData("Lisxxn", "Listen")]
    [InlineData("Lixxxn", null)]
    [InlineData("Lisxx", null)]
    [InlineData("Txx", null)]
    [InlineData("Colour", null)]
    [InlineData("x", null)]
    public void The_nearest_name_is_found_if_it_is_near(string text, string? expected) =>
        Assert.Equal(expected, NearestName.Find(text, Names));

    [Theory]
    [InlineData("", "abc", 3)]
    [InlineData("kitten", "sitting", 3)]
    [InlineData("abc", "ABC", 0)]
    [InlineData("abc", "acb", 1)]
    public void Distance_counts_edits(string left, string right, int edits)
    {
        Assert.Equal(edits, NearestName.Distance(left, right));
        Assert.Equal(edits, NearestName.Distance(right, left));
    }
}
