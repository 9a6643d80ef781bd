namespace Dns.Import.Tests;

public sealed class ImportReportTests : ImportTestBase
{
    private async Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] words)
    {
        using StringWriter output = new(), errors = new();
        int exitCode = await DnsdCommand.InvokeAsync(["import", .. words], output, errors);
        return (exitCode, output.ToString(), Short(errors.ToString()));
    }

    [Theory]
    [InlineData("options { recursion no; };", 0)]
    [InlineData("options { recursion no; dnssec-validation yes; };", 0)]
    [InlineData("options { recursion no; response-policy { zone \"rpz\"; }; };", 3)]
    [InlineData("options { recursion no; ", 1)]
    public async Task The_exit_code_says_whether_something_blocks_the_move(string text, int expected) =>
        Assert.Equal(expected, (await RunAsync(Folder.Write("named.conf", text + "\n"), "--from", "bind")).ExitCode);

    [Fact]
    public async Task A_missing_output_directory_is_named()
    {
        string file = Folder.Write("named.conf", "options { recursion no; };\n");
        string missing = Path.Combine(Folder.Root, "none");
        var (exitCode, _, errors) = await RunAsync(file, "-o", Path.Combine(missing, "dnsd.json"));
        Assert.Equal((1, $"dnsd: error: --output: the directory none does not exist"), (exitCode, errors.Trim()));
        Assert.False(Directory.Exists(missing));
    }

    [Fact]
    public async Task What_is_not_translated_stands_above_the_settings_grouped_by_severity_and_cause()
    {
        string file = Folder.Write("named.conf", """
            options { recursion no; allow-transfer { none; }; dnssec-validation yes; zone-statistics yes; };
            zone "a.example" { type mirror; };
            zone "b.example" { type mirror; };
            """);
        string target = Path.Combine(Folder.Root, "dnsd.json");
        var (exitCode, output, errors) = await RunAsync(file, "-o", target);
        Assert.Equal((3, $"wrote {target}: 0 zones; 2 block the move, 1 change behaviour, 1 cosmetic"),
            (exitCode, output.Split(Environment.NewLine)[0]));
        string[] expected =
        [
            "blocks the move:",
            "  type mirror: zones are served from files, or as secondaries (the server cannot)",
            "    named.conf:2: zone a.example",
            "    named.conf:3: zone b.example",
            "changes behaviour:",
            "  dnssec-validation: answers are not validated (the server cannot)",
            "    named.conf:1: options",
            "cosmetic:",
            "  zone-statistics: metrics, status page and log are the server's own",
            "    named.conf:1: options",
        ];
        Assert.Equal(expected, errors.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n'));
        string[] lines = File.ReadAllLines(target);
        Assert.Equal(
            ["// Imported from named.conf: 2 block the move, 1 change behaviour, 1 cosmetic.",
                .. expected.Select(line => "// " + line)],
            lines.TakeWhile(line => line.StartsWith("//", StringComparison.Ordinal)).Select(Short));
        Assert.Empty(SettingsReader.Read(new() { ConfigFile = target }, new System.Collections.Hashtable()).Problems);
    }

    [Theory]
    [InlineData("\u2028")]
    [InlineData("\u2029")]
    [InlineData("\r")]
    [InlineData("\u0085")]
    [InlineData("\u202e")]
    public async Task What_a_comment_quotes_cannot_end_it(string separator)
    {
        string file = Folder.Write("named.conf", $"options {{ recursion no; \"evil{separator}{{\" yes; }};\n");
        string target = Path.Combine(Folder.Root, "dnsd.json");
        Assert.Equal(0, (await RunAsync(file, "--from", "bind", "-o", target)).ExitCode);
        Assert.Contains("//   evil?{: not known", File.ReadAllText(target));
        Assert.Empty(SettingsReader.Read(new() { ConfigFile = target }, new System.Collections.Hashtable()).Problems);
    }

    [Fact]
    public async Task A_signed_zone_and_a_zone_with_errors_block_the_move()
    {
        const string good = "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n";
        Folder.Write("good.db", good);
        Folder.Write("signed.db", good + "@ DNSKEY 257 3 13 AAAA\n");
        Folder.Write("bad.db", good + "www A 192.0.2\n");
        string file = Folder.Write("named.conf", """
            options { recursion no; allow-transfer { none; }; };
            zone "good.example" { type primary; file "good.db"; };
            zone "signed.example" { type primary; file "signed.db"; };
            zone "bad.example" { type primary; file "bad.db"; };
            zone "gone.example" { type primary; file "gone.db"; };
            """);
        var (exitCode, _, errors) = await RunAsync(file);
        Assert.Equal(3, exitCode);
        Assert.DoesNotContain("good.example", errors);
        Assert.Contains("  it is signed and has no NSEC or NSEC3 records for negative answers and referrals, "
            + "validating resolvers reject them (the server cannot)\n    named.conf:3: zone signed.example\n",
            errors.ReplaceLineEndings("\n"));
        Assert.Contains("    named.conf:4: zone bad.example: bad.db:5:", errors);
        Assert.Contains(
            "  its file is not found here, and not checked (the importer cannot)\n    named.conf:5: zone gone.example",
            errors.ReplaceLineEndings("\n"));
    }

    [Fact]
    public void A_zone_that_is_missing_is_always_listed_and_a_setting_in_every_zone_is_not()
    {
        string zones = string.Concat(Enumerable.Range(0, 30).Select(i =>
            $"zone \"s{i}\" {{ type secondary; }};\nzone \"p{i}\" {{ type primary; file \"p\"; check-names warn; " +
                $"}};\n"));
        var (_, _, imported) =
            Import("named.conf", "options { recursion no; allow-transfer { none; }; };\n" + zones, "bind");
        string[] lines = [.. ImportReport.Lines(imported.Diagnostics)];
        Assert.Equal(30, lines.Count(line => line.Contains(": zone s")));
        Assert.Equal(10, lines.Count(line => line.Contains(": zone p")));
        Assert.Equal("    and 20 more", lines[^1]);
    }

    [Fact]
    public void Diagnostics_are_bounded_and_each_is_kept_once()
    {
        ImportDiagnostics diagnostics = new();
        ConfigStatement at = new("f", 1, ["x"], null);
        for (int i = 0; i < 10_003; i++) diagnostics.Change(at, $"{i}", "text");
        diagnostics.Block(at, "", "text");
        Assert.Equal((10_000, 4, true), (diagnostics.Entries.Count, diagnostics.Dropped, diagnostics.IsBlocked));
        Assert.Equal("4 more diagnostics are left out", ImportReport.Lines(diagnostics).Last());
        ImportDiagnostics twice = new();
        twice.Block(at, "s", "text");
        twice.Block(at, "s", "text");
        Assert.Single(twice.Entries);
    }
}
