using Xunit;

namespace Dns.Zones.Tests;

public sealed class ZoneDumpTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_zone_that_would_be_served_is_printed_without_copies_and_records_outside_and_with_one_ttl()
    {
        var diagnostics = new List<ZoneDiagnostic>();
        string text = ZoneFolder.Start + "www.example.net. A 192.0.2.2\nc CNAME ns1\nc CNAME ns1\n"
            + "m 600 A 192.0.2.4\nm 300 A 192.0.2.3\n";
        Assert.Equal(
            "example.com. 300 IN SOA ns.other.test. host.example.com. 1 2 3 4 5\n"
            + "example.com. 300 IN NS ns.other.test.\nc.example.com. 300 IN CNAME ns1.example.com.\n"
            + "m.example.com. 300 IN A 192.0.2.4\n"
            + "m.example.com. 300 IN A 192.0.2.3\n",
            DumpServed(text, expectedExit: 0, diagnostics));
        Assert.Equal(["expected a name in example.com.: the record is left out", "the copy is left out",
            "the lowest is used"], diagnostics.Select(found => found.Message.Split(", ")[^1].Split("again: ")[^1]
                .Split("one: ")[^1]));
        Assert.EndsWith("m.example.com. 300 IN A \\# 4 C0000203\n", DumpServed(text, 0, diagnostics, generic: true));
    }

    [Theory]
    [InlineData("$TTL 1\na A 192.0.2.1\n", "found no SOA at example.com., expected one")]
    [InlineData(ZoneFolder.Start + "a A 192.0.2.1\na CNAME b\n",
        "found other data beside the CNAME at a.example.com., expected only the CNAME")]
    public void Nothing_is_printed_of_a_zone_that_would_not_be_served(string text, string expected)
    {
        var diagnostics = new List<ZoneDiagnostic>();
        Assert.Equal("", DumpServed(text, expectedExit: 1, diagnostics));
        Assert.Contains(expected, diagnostics.Select(found => found.Message));
    }

    private string DumpServed(string text, int expectedExit, List<ZoneDiagnostic> diagnostics, bool generic = false)
    {
        using var output = new MemoryStream();
        string file = _folder.Write("zone", text);
        Assert.Equal(expectedExit,
            ZoneDump.Write(DomainName.Parse("example.com"), file, generic, output, diagnostics));
        return System.Text.Encoding.ASCII.GetString(output.ToArray());
    }

    [Fact]
    public void Everything_is_printed_as_it_is_written() =>
        Assert.Equal(
            "A.example.com. 3000000000 CH TXT \"x\"\nA.example.com. 3000000000 CH TXT \"x\"\n"
            + "elsewhere. 4294967295 IN A 192.0.2.1\na.example.com. 1 IN CNAME b.\na.example.com. 2 IN CNAME c.\n",
            _folder.Dump(
                "A 3000000000 CH TXT x\nA 3000000000 CH TXT x\nelsewhere. 4294967295 IN A 192.0.2.1\n"
                + "a 1 CNAME b.\n 2 CNAME c.\n"));

    [Fact]
    [Trait("RFC", "3597 §5")]
    public void Generic_form_keeps_the_type_and_has_length_and_octets() =>
        Assert.Equal(
            "a.example.com. 1 IN A \\# 4 C0000201\na.example.com. 1 IN TYPE65280 \\# 0\n"
            + "a.example.com. 1 IN MX \\# 5 000A016200\n",
            _folder.Dump("a 1 A 192.0.2.1\n 1 TYPE65280 \\# 0\n 1 MX 10 b.\n", generic: true));

    [Fact]
    public void Empty_address_prefix_list_leaves_no_blank_at_the_end() =>
        Assert.Equal("a.example.com. 1 IN APL\n", _folder.Dump("a 1 APL\n"));

    [Fact]
    public void Records_beside_an_error_are_printed_and_the_exit_code_is_1()
    {
        var diagnostics = new List<ZoneDiagnostic>();
        using var output = new MemoryStream();
        string file = _folder.Write("zone", "a 1 A 192.0.2.1\nb 1 A bad\nc 1 A 192.0.2.3\n");
        Assert.Equal(1, ZoneDump.WriteRaw(DomainName.Root, file, generic: false, output, diagnostics));
        Assert.Equal("a. 1 IN A 192.0.2.1\nc. 1 IN A 192.0.2.3\n",
            System.Text.Encoding.ASCII.GetString(output.ToArray()));
        Assert.Equal(2, Assert.Single(diagnostics).Line);
    }

    [Fact]
    public void An_empty_file_is_an_empty_dump() => Assert.Equal("", _folder.Dump(""));

    [Fact]
    public void A_dump_is_read_back_as_itself()
    {
        string dump =
            _folder.Dump(ZoneFolder.Start + "a TXT \"b;\\\"c\\000\" \"\"\n\\001\\.x HINFO a b\n\\@ MX 1 \\$\n");
        Assert.Equal(dump, _folder.Dump(dump, origin: "."));
    }

    [Fact]
    public void A_generic_dump_is_read_back_as_the_same_records()
    {
        string text = ZoneFolder.Start + "a TXT \"b;\\\"c\\000\" \"\"\n\\001\\.x HINFO a b\n\\@ MX 1 \\$\n";
        Assert.Equal(_folder.Dump(text), _folder.Dump(_folder.Dump(text, generic: true), origin: "."));
    }

    [Fact]
    public void A_dump_larger_than_its_buffer_is_whole() =>
        Assert.Equal(20_000, _folder.Dump("$GENERATE 1-20000 a$ 1 A 192.0.2.1\n").Split('\n').Length - 1);
}
