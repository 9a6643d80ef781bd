using Dns.Testing;

namespace Dns.Server.Tests.Features;

/// <summary>What the log says of catalogs: how many members clash is chosen by a primary.</summary>
public sealed class CatalogLogTests
{
    private static readonly DomainName Catalog = DomainName.Parse("catalog.test");

    private readonly VirtualClock _clock = new();
    private readonly LineLog<CatalogLog> _lines = new();
    private readonly CatalogLog _log;

    public CatalogLogTests() => _log = new CatalogLog(_lines, _clock);

    [Fact]
    public void Conflicts_have_twenty_lines_in_ten_seconds_however_many_come()
    {
        for (int i = 0; i < 1000; i++) Clash(i);
        Assert.Equal(20, _lines.Lines.Count);
        Assert.Equal(
            "Warning Catalog catalog.test.: zone z19.test. is not taken from it: it is a member of other.test.",
            _lines.Lines[^1]);
        _clock.Advance(TimeSpan.FromSeconds(9));
        Clash(1000);
        Assert.Equal(20, _lines.Lines.Count);
        _clock.Advance(TimeSpan.FromSeconds(1));
        Clash(1001);
        Clash(1002);
        Assert.Equal(
            ["Warning Catalog catalog.test.: zone z1001.test. is not taken from it: it is a member of other.test., " +
                "and 981 more since the line before",
            "Warning Catalog catalog.test.: zone z1002.test. is not taken from it: it is a member of other.test."],
            _lines.Lines[20..]);
    }

    private void Clash(int number) =>
        _log.OnConflict(Catalog, DomainName.Parse($"z{number}.test"), "it is a member of other.test.");
}
