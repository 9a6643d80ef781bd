using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

[Trait("RFC", "1035 §5.1")]
public sealed class MasterFileTextTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("a 60 IN A 192.0.2.1\n")]
    [InlineData("a IN 60 A 192.0.2.1\n")]
    [InlineData("a 60 A 192.0.2.1\n")]
    [InlineData("a 1m in a 192.0.2.1\n")]
    [InlineData("a.example.com. 60 CLASS1 TYPE1 192.0.2.1\n")]
    [InlineData("a\t60  IN\tA 192.0.2.1 \t\n")]
    [InlineData("a 60 IN A 192.0.2.1\r\n")]
    [InlineData("a 60 IN A 192.0.2.1")]
    [InlineData("a 60 IN A 192.0.2.1;comment")]
    [InlineData("; co\0mment\na 60 IN A 192.0.2.1 ;\0\0\n")]
    [InlineData("\n; comment\n \t\n  ; comment\na 60 IN A 192.0.2.1\n")]
    [InlineData("a 60 IN A ( 192.0.2.1 )\n")]
    [InlineData("a ( 60 ; one (\n IN ; two \" )\n\n A\r\n 192.0.2.1\n) ; three\n")]
    [InlineData("a (60)IN(A)192.0.2.1\n")]
    [InlineData("a ((60) IN (A 192.0.2.1))\n")]
    [InlineData("a 60 IN A \\# 4 C0000201\n")]
    [InlineData("a 60 IN A \\# 4 C0 00 (\n02 01)\n")]
    [InlineData("\\097 60 IN A 192.0.2.1\n")]
    [InlineData("\u00EF\u00BB\u00BFa 60 IN A 192.0.2.1\n")]
    public void One_record_is_read_however_it_is_written(string text) =>
        Assert.Equal("a.example.com. 60 IN A 192.0.2.1\n", _folder.Dump(text));

    [Theory]
    [InlineData("\u00FF\u00FE", "", "\0")]
    [InlineData("\u00FE\u00FF", "\0", "")]
    public void A_file_in_UTF_16_is_one_error(string mark, string before, string after)
    {
        string text = mark + string.Concat((ZoneFolder.Start + "a A 192.0.2.1\n").Select(c => $"{before}{c}{after}"));
        ZoneDiagnostic error = Assert.Single(_folder.Load(text).Diagnostics);
        Assert.Equal((1, 1, "found UTF-16, expected UTF-8"), (error.Line, error.Column, error.Message));
    }

    [Fact]
    public void A_line_that_starts_blank_has_the_owner_before_it() =>
        Assert.Equal(
            "a.example.com. 1 IN A 192.0.2.1\na.example.com. 2 IN A 192.0.2.2\na.example.com. 3 IN A 192.0.2.3\n",
            _folder.Dump("a 1 A 192.0.2.1\n 2 A 192.0.2.2\n\n;\n\t3 A 192.0.2.3\n"));

    [Fact]
    public void At_sign_is_the_origin() =>
        Assert.Equal("example.com. 1 IN NS example.com.\n", _folder.Dump("@ 1 NS @\n"));

    [Fact]
    public void Escaped_at_sign_is_a_label() =>
        Assert.Equal("\\@.example.com. 1 IN A 192.0.2.1\n", _folder.Dump("\\@ 1 A 192.0.2.1\n"));

    [Fact]
    public void The_root_is_an_origin_like_any_other() =>
        Assert.Equal("com. 1 IN NS a.\n", _folder.Dump("com 1 NS a\n", origin: "."));

    [Fact]
    public void Owner_keeps_its_spelling() =>
        Assert.Equal("WwW.example.com. 1 IN A 192.0.2.1\n", _folder.Dump("WwW 1 A 192.0.2.1\n"));

    [Fact]
    public void Escaped_dot_and_blank_stay_in_their_label() =>
        Assert.Equal("a\\.b\\032c.example.com. 1 IN A 192.0.2.1\n", _folder.Dump("a\\.b\\ c 1 A 192.0.2.1\n"));

    [Fact]
    public void Quotes_hold_blanks_semicolons_and_parentheses() =>
        Assert.Equal(
            "a.example.com. 1 IN TXT \"b c;(d)\" \"\" \"e\\\"f\"\n",
            _folder.Dump("a 1 TXT \"b c;(d)\" \"\" \"e\\\"f\"\n"));

    [Fact]
    public void Escaped_quotes_are_part_of_a_string_without_quotes() =>
        Assert.Equal("a.example.com. 1 IN TXT \"b\\\"c\" \"\\\\\\\"\"\n", _folder.Dump("a 1 TXT b\\\"c \\\\\\\"\n"));

    [Fact]
    public void A_quoted_string_may_span_lines() =>
        Assert.Equal(
            "a.example.com. 1 IN TXT \"b\\010c\"\nd.example.com. 1 IN A 192.0.2.1\n",
            _folder.Dump("a 1 TXT \"b\nc\"\nd 1 A 192.0.2.1\n"));

    [Fact]
    public void Quotes_within_a_token_belong_to_it() =>
        Assert.Equal(
            "a.example.com. 1 IN HTTPS 1 . alpn=\"h2,h3\" port=\"443\"\n".Replace("\"", ""),
            _folder.Dump("a 1 HTTPS 1 . alpn=\"h2,h3\" port=\"443\"\n").Replace("\"", ""));

    [Fact]
    public void Units_of_time_add_up() =>
        Assert.Equal("a.example.com. 788645 IN A 192.0.2.1\n", _folder.Dump("a 1w2d3H4m5s A 192.0.2.1\n"));

    [Theory]
    [InlineData("a 1 A 192.0.2.1\0\n", "1:16: error: found a NUL byte, expected text (write it as \\000)")]
    [InlineData("a 1 TXT \"b\0\"\n", "1:11: error: found a NUL byte, expected text (write it as \\000)")]
    [InlineData("a 1 TXT b\\\0\n", "1:11: error: found a NUL byte, expected text (write it as \\000)")]
    [InlineData("a 1 A 192.0.2.1 )\n", "1:17: error: found \")\" without a \"(\" before it")]
    [InlineData("a 1 A (\n 192.0.2.1\n\n",
        "1:7: error: unbalanced parenthesis: found the end of the file, expected the \")\" that closes this one")]
    [InlineData("\na 1 TXT (\n\"b",
        "3:1: error: unbalanced quote: found the end of the file, expected the quote that closes this one")]
    [InlineData("a 1 TXT b\"c\n",
        "1:10: error: unbalanced quote: found the end of the file, expected the quote that closes this one")]
    [InlineData(" 1 A 192.0.2.1\n", "1:2: error: found a record without an owner, expected an owner before it")]
    [InlineData("a A 192.0.2.1\n", "1:1: error: found a record without a TTL, expected one here or $TTL before it")]
    [InlineData("a 1x A 192.0.2.1\n",
        "1:3: error: found \"1x\", expected a TTL of 0 to 2147483647 seconds, such as 3600 or 1h30m")]
    [InlineData("a 4294967296 A 192.0.2.1\n",
        "1:3: error: found \"4294967296\", expected a TTL of 0 to 2147483647 seconds, such as 3600 or 1h30m")]
    [InlineData("$TTL 4294967296\n",
        "1:6: error: found \"4294967296\", expected a TTL of 0 to 2147483647 seconds, such as 3600 or 1h30m")]
    [InlineData("a 1 2 A 192.0.2.1\n", "1:5: error: found \"2\", expected a record type")]
    [InlineData("a 1 IN CH A 192.0.2.1\n", "1:8: error: found \"CH\", expected a record type")]
    [InlineData("a 1 BOGUS 192.0.2.1\n", "1:5: error: found \"BOGUS\", expected a record type")]
    [InlineData("a 1 \"A\" 192.0.2.1\n", "1:5: error: found \"A\", expected a record type")]
    [InlineData("a 1 AXFR x\n", "1:5: error: found \"AXFR\", expected a type that a zone can hold")]
    [InlineData("a 1 TYPE0 \\# 0\n", "1:5: error: found \"TYPE0\", expected a type that a zone can hold")]
    [InlineData("a 1\n", "1:4: error: found the end of the line, expected a record type")]
    [InlineData("\"a\" 1 A 192.0.2.1\n", "1:1: error: found \"a\", expected an owner without quotes")]
    [InlineData("a..b 1 A 192.0.2.1\n", "1:1: error: found \"a..b\", expected an owner: the name has an empty label")]
    [InlineData("$UNKNOWN x\n",
        "1:1: error: found \"$UNKNOWN\", expected an owner, $ORIGIN, $TTL, $INCLUDE or $GENERATE")]
    [InlineData("@ 1 SOA a. b. x 2 3 4 5\n",
        "1:15: error: SOA SERIAL: found \"x\", expected a number from 0 to 4294967295")]
    [InlineData("@ 1 SOA a. b. 1 2 3 4\n", "1:21: error: SOA MINIMUM: found the end of the line, expected a number of "
        + "seconds, or a time such as 1h30m")]
    [InlineData("@ 1 SOA a. b. 1 2 3 4 5 6\n", "1:25: error: SOA: found \"6\", expected the end of the record")]
    [InlineData("@ 1 SOA \\# x\n",
        "1:12: error: SOA: found \"x\", expected the length of the RDATA in octets, 0 to 65535")]
    [InlineData("a 1 A 192.0.2.1 # x\n",
        "1:17: error: A: found \"#\", expected the end of the record (comments begin with \";\")")]
    [InlineData("$TTL 1 #x\n", "1:8: error: found \"#x\", expected the end of the line (comments begin with \";\")")]
    [InlineData("# some comment\n",
        "1:3: error: found \"some\", expected a record type (comments begin with \";\")")]
    [InlineData("# 1 a comment\n",
        "1:7: error: A: found \"comment\", expected an IPv4 address (comments begin with \";\")")]
    [InlineData("a 1 TXT foo\"bar\"\n",
        "1:9: error: TXT: found \"foo\"bar\"\", expected a character-string, and a blank before the quote")]
    [InlineData("a 1 CAA 0 issue\"ca.example\"\n", "1:11: error: CAA: found \"issue\"ca.example\"\", expected a tag of "
        + "1 to 255 letters and digits, and a blank before the quote")]
    public void A_line_that_cannot_be_read_is_an_error(string text, string expected) =>
        Assert.Equal(expected, _folder.Dump(text));

    [Fact]
    public void Rdata_error_names_type_line_found_and_expected() =>
        Assert.StartsWith("3:2: error: MX: found \"300000\", expected ", _folder.Dump("\na 1 MX (\n 300000\nb )\n"));

    [Theory]
    [InlineData("TXT", "x", 300, "300 octets, expected character-strings of at most 255 octets: split it, "
        + "\"first part\" \"second part\"")]
    [InlineData("TXT", "\\120\\;", 150, "300 octets, expected character-strings of at most 255 octets: split it, "
        + "\"first part\" \"second part\"")]
    [InlineData("HINFO", "x", 300, "300 octets, expected a character-string of at most 255 octets")]
    public void A_string_that_is_too_long_is_an_error_with_its_length(string type, string octet, int count, string end)
    {
        string message = _folder.Dump($"a 1 {type} \"{string.Concat(Enumerable.Repeat(octet, count))}\"\n");
        Assert.EndsWith("...\" of " + end, message);
    }

    [Fact]
    public void Left_over_tokens_are_an_error() =>
        Assert.StartsWith("1:17: error: A: found \"extra\", expected ", _folder.Dump("a 1 A 192.0.2.1 extra\n"));

    [Fact]
    public void Diagnostic_knows_its_column()
    {
        ZoneDiagnostic diagnostic = Assert.Single(_folder.Load(ZoneFolder.Start + "abc 1 A  bad\n").Diagnostics);
        Assert.Equal((4, 10), (diagnostic.Line, diagnostic.Column));
    }

    [Fact]
    public void Every_error_is_collected() =>
        Assert.Equal([2, 4, 5], _folder
            .Load("$TTL 1\na A x\n@ SOA ns.x. h 1 2 3 4 5\nb BOGUS\nc..d A 192.0.2.1\n e\n@ NS ns.x.\n")
            .Diagnostics.Select(diagnostic => diagnostic.Line));

    [Fact]
    public void Reading_goes_on_behind_an_unclosed_parenthesis() =>
        Assert.Equal(
            "1:9: error: unbalanced parenthesis: found the end of the file, expected the \")\" that closes this one\n"
            + "5:5: error: found \"BOGUS\", expected a record type",
            _folder.Dump("a 1 TXT ( b\n  c\n ; d\n\ne 1 BOGUS\nf 1 A 192.0.2.1\n"));

    [Fact]
    public void A_quote_that_is_closed_by_the_next_opening_one_is_found() =>
        Assert.Equal(
            "1:9: error: unbalanced quote: found text right behind it, expected the quote that closes this one\n"
            + "3:5: error: found \"BOGUS\", expected a record type",
            _folder.Dump("a 1 TXT \"b\nc 1 TXT \"d\"\ne 1 BOGUS \"\"\n"));

    [Fact]
    public void A_thousand_errors_are_listed_and_the_rest_is_counted()
    {
        IReadOnlyList<ZoneDiagnostic> diagnostics = _folder.Load(
            ZoneFolder.Start + string.Concat(Enumerable.Repeat("a A x\n", 1500))).Diagnostics;
        Assert.Equal(1001, diagnostics.Count);
        Assert.Equal("... and 500 more errors", diagnostics[^1].Message);
    }

    [Fact]
    public void A_line_may_be_as_long_as_the_longest_rdata()
    {
        string text = "a 1 TYPE65280 \\# 65535 (\n" + string.Concat(Enumerable.Repeat("\tAB ; x\n", 65_535)) + ")\n";
        Assert.Equal("a.example.com. 1 IN TYPE65280 \\# 65535 ".Length + 65_535 * 2 + 1, _folder.Dump(text).Length);
    }

    [Fact]
    public void A_line_without_end_is_refused() =>
        Assert.Equal(
            "1:9: error: unbalanced parenthesis: found a line of more than 4 MiB, expected the \")\" that closes " +
                "this one",
            _folder.Dump("a 1 TXT (\n" + new string('\n', 5 << 20)));

    [Fact]
    public void A_file_of_opening_parentheses_comes_to_an_end() =>
        Assert.Equal(17, _folder.Dump(string.Concat(Enumerable.Repeat("a (\n", 100_000))).Split('\n').Length);

    [Fact]
    public void A_missing_file_is_an_error() =>
        Assert.Equal(
            "nowhere: error: cannot be read: there is no such file",
            ZoneLoader.Load(DomainName.Root, "nowhere").Diagnostics.Single().ToString());

    [LinuxTheory]
    [InlineData("a.zone")]
    [InlineData("/dev/null")]
    [InlineData("/dev/zero")]
    public void What_is_not_a_regular_file_with_octets_is_not_read(string file)
    {
        string path = Path.Combine(_folder.Root, file);
        if (!File.Exists(path)) File.WriteAllText(path, "");
        Assert.EndsWith(
            "cannot be read: it is empty, or a pipe or a device and not a regular file",
            ZoneLoader.Load(DomainName.Root, path).Diagnostics.Single().Message);
    }

    [Fact]
    public void An_included_file_without_octets_is_a_warning()
    {
        _folder.Write("empty", "");
        string[] diagnostics = _folder.Check(ZoneFolder.Start + "$INCLUDE empty\na A 192.0.2.1\n").Split('\n');
        Assert.EndsWith("empty: it is empty, or a pipe or a device and not a regular file", Assert.Single(diagnostics));
        Assert.Contains(" warning: found $INCLUDE of ", diagnostics[0]);
    }

    [LinuxFact]
    public void A_link_to_a_device_is_not_read()
    {
        string path = Path.Combine(_folder.Root, "link");
        File.CreateSymbolicLink(path, "/dev/zero");
        Assert.Contains("a device", ZoneLoader.Load(DomainName.Root, path).Diagnostics.Single().Message);
    }

    [Fact]
    public void A_directory_is_an_error() =>
        Assert.EndsWith(
            "cannot be read: it is a directory",
            ZoneLoader.Load(DomainName.Root, _folder.Root).Diagnostics.Single().Message);
}
