using Xunit;

namespace Dns.Zones.Tests;

public sealed class MasterFileLimitTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static string Lines(int count, Func<int, string> line) =>
        string.Concat(Enumerable.Range(0, count).Select(line));

    [Fact]
    public void Of_65537_includes_the_last_is_refused()
    {
        _folder.Write("nothing", "; no records\n");
        _folder.Write("many", Lines(65_535, _ => "$INCLUDE nothing\n"));
        ZoneDiagnostic error =
            Assert.Single(_folder.Load(ZoneFolder.Start + "$INCLUDE many\n$INCLUDE nothing\n").Diagnostics);
        Assert.Equal(5, error.Line);
        Assert.Contains("more than 65536 files are included", error.Message);
    }

    [Theory]
    [InlineData(1000, 1000, "")]
    [InlineData(1001, 1001, "... and 1 more errors")]
    public void A_thousand_errors_are_kept(int lines, int kept, string last)
    {
        IReadOnlyList<ZoneDiagnostic> errors =
            _folder.Load(ZoneFolder.Start + Lines(lines, i => $"a{i} A nonsense\n")).Diagnostics;
        Assert.Equal(kept, errors.Count);
        Assert.Equal(last.Length > 0, errors[^1].Message == last);
    }

    [Theory]
    [InlineData(1000, 1000, "")]
    [InlineData(1001, 1001, "... and 1 more warnings")]
    public void A_thousand_warnings_are_kept(int cuts, int kept, string last)
    {
        ZoneLoadResult result = _folder.Load(ZoneFolder.Start + Lines(cuts, i => $"s{i} NS ns.s{i}\n"));
        Assert.Equal(kept, result.Diagnostics.Count);
        Assert.Equal(last.Length > 0, result.Diagnostics[^1].Message == last);
        Assert.NotNull(result.Zone);
    }

    [Fact]
    public void A_thousand_diagnostics_of_each_severity_are_held_and_all_are_counted()
    {
        NodeDiagnostics diagnostics = new();
        for (int i = 0; i < 1005; i++)
        {
            diagnostics.Warn(NodeDiagnosticKind.FirstOfType, [0], RRType.A, [], "a warning");
            diagnostics.Error(NodeDiagnosticKind.FirstOfType, [0], RRType.A, "an error");
        }
        Assert.Equal((1005, 1005), (diagnostics.WarningCount, diagnostics.ErrorCount));
        Assert.Equal(2000, diagnostics.Kept.Count);
    }

    [Fact]
    public void A_broken_zone_is_not_told_of_missing_addresses() =>
        Assert.Equal(
            "5:1: error: found other data beside the CNAME at a.example.com., expected only the CNAME\n"
            + "6:6: error: A: found \"nonsense\", expected an IPv4 address",
            _folder.Check(ZoneFolder.Start + "a CNAME b\na A 192.0.2.1\nns A nonsense\nsub NS ns.sub\n"));

    [Theory]
    [InlineData("m MX 1 1.2.3\n1.2.3 A 192.0.2.1\n")]
    [InlineData("m MX 1 1.2.3.4.5\n1.2.3.4.5 A 192.0.2.1\n")]
    [InlineData("m MX 1 1.2.3.256\n1.2.3.256 A 192.0.2.1\n")]
    public void Three_or_five_numbers_are_no_address(string text) =>
        Assert.Equal("", _folder.Check(ZoneFolder.Start + text));

    [Fact]
    public void A_file_that_includes_itself_is_read_once()
    {
        ZoneDiagnostic error = Assert.Single(_folder.Load(ZoneFolder.Start + "$INCLUDE zone\n").Diagnostics);
        Assert.Equal(4, error.Line);
        Assert.EndsWith("the file includes itself", error.Message);
    }

    [Theory, Trait("RFC", "2181 8")]
    [InlineData("2147483647", 2147483647u)]
    [InlineData("2147483648", 0u)]
    [InlineData("4294967295", 0u)]
    public void A_TTL_with_its_top_bit_set_is_served_as_0(string written, uint served)
    {
        Zone zone = _folder.Load(ZoneFolder.Start + $"a {written} A 192.0.2.1\n").Zone!;
        LookupName name = default;
        name.Set(Testing.WireOctets.Name("a.example.com"));
        Assert.True(zone.TryFind(in name, 0, out ZoneNode node) && node.TryFind(RRType.A, out RRset rrset) &&
            rrset.Ttl == served);
    }
}
