using System.Text.Json;

namespace Dns.Commands.Tests;

public sealed class CommandLineTests : IDisposable
{
    private const string GoodZone = "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\n";
    private readonly SettingsFolder _folder = new();
    private readonly StringWriter _output = new(), _errors = new();

    public void Dispose() => _folder.Dispose();

    private Task<int> Run(params string[] args) => DnsdCommand.InvokeAsync(args, _output, _errors);

    private string Errors => _errors.ToString().Replace(_folder.Root + Path.DirectorySeparatorChar, "");

    [Theory]
    [InlineData("\"bogus\": there is no such command or argument", "bogus")]
    [InlineData("\"statsu\": did you mean \"status\"?", "statsu")]
    [InlineData("\"chek\": did you mean \"check\"?", "zone", "chek", "a", "b")]
    [InlineData("\"bogus\": expected one of check, dump, ", "zone", "bogus")]
    [InlineData("\"zon\": did you mean \"zone\"?", "zon", "check", "a", "b")]
    [InlineData("dnsd: try \"dnsd zone --help\"", "zon", "check", "a", "b")]
    [InlineData("\"zons\": did you mean \"zone\"?", "zons", "dump", "a", "b")]
    [InlineData("\"extra\": there is no such command or argument", "check", "extra")]
    [InlineData("\"--bogus\": there is no such option", "--bogus")]
    [InlineData("\"--cofig\": did you mean \"--config\"?", "run", "--cofig", "x")]
    [InlineData("--listen 127.0.0.1:x: expected an address with a port", "run", "--listen", "127.0.0.1:x")]
    [InlineData("--zone example.com: expected NAME=FILE", "--zone", "example.com")]
    [InlineData("--zone a..b=f: \"a..b\" is not a domain name", "--zone", "a..b=f")]
    [InlineData("\"zone\": expected one of check, dump, ", "zone")]
    [InlineData("\"zone check\": expected NAME and FILE", "zone", "check")]
    [InlineData("\"zone check\": expected NAME and FILE", "zone", "check", "a.zone")]
    [InlineData("\"why\": expected NAME", "why")]
    [InlineData("--from: expected an address", "why", "a.example", "--from", "999")]
    [InlineData("\"help\": did you mean \"dnsd --help\"?", "help")]
    [InlineData("\"-v\": did you mean \"dnsd --version\"?", "-v")]
    [InlineData("\"-v\": expected one of ", "status", "-v")]
    [InlineData("\"list\": did you mean \"dnsd zones\"?", "zone", "list")]
    [InlineData("\"dig\": did you mean \"dnsd query\"?", "dig")]
    [InlineData("--listen: expected ADDRESS:PORT", "run", "--listen")]
    [InlineData("--keys: expected DIR", "zone", "sign", "a.example", "a.zone", "--output", "o")]
    [InlineData("\"a..b\" is not a domain name", "zone", "dump", "a..b", "f")]
    [InlineData("\"ü.example\" is not a domain name in ASCII (international names as xn--...)", "query", "ü.example")]
    [InlineData("expected the NAME to ask about", "query", "@127.0.0.1")]
    [InlineData("\"NOTYPE\" is neither a type nor a class nor @SERVER", "query", "a", "NOTYPE")]
    [InlineData("expected @SERVER", "query", "a", "@127.0.0.1:x")]
    [InlineData("--timeout: expected seconds", "query", "a", "--timeout", "0")]
    [InlineData("--timeout: expected seconds", "query", "a", "--timeout", "x")]
    [InlineData("--limit: expected", "zones", "--limit", "x")]
    [InlineData("--Dns:Identity: expected a value, such as --Dns:Identity=VALUE", "run", "--Dns:Identity")]
    [InlineData("\"--all\": expected one of --below, ", "cache", "flush", "--all")]
    [InlineData("\"--belw\": did you mean \"--below\"?", "cache", "flush", "--belw")]
    [InlineData("; an argument that begins with \"-\" goes after \"--\"",
        "cache", "lookup", "--al")]
    [InlineData("\"--form\": did you mean \"--from\"?", "why", "--form", "192.0.2.1")]
    [InlineData("\"--form\": did you mean \"--from\"?", "import", "a.conf", "--output", "--form")]
    [InlineData("\"--form\": did you mean \"--from\"?", "import", "--form")]
    [InlineData("\"--tpc\": did you mean \"--tcp\"?", "query", "a.example", "--tpc")]
    [InlineData("\"-t\": expected one of ", "query", "-t", "a.example")]
    [InlineData("\"-1\": ", "cache", "flush", "-1")]
    [InlineData("\"--dnsec\": did you mean \"--dnssec\"?", "zone", "check", "--dnsec", "a.zone")]
    [InlineData("\"--dryrun\": ", "zone", "status", "--dryrun")]
    [InlineData("\"--zks\": did you mean \"--zsk\"?", "keys", "rollover", "--zks")]
    [InlineData("--limit: expected", "zones", "--limit", "-5")]
    public async Task A_malformed_command_line_is_exit_code_2(string expected, params string[] args)
    {
        Assert.Equal(2, await Run(args));
        Assert.Contains(expected, Errors);
        string[] lines = Errors.TrimEnd().Split(Environment.NewLine);
        Assert.Equal(2, lines.Length);
        Assert.Matches("^dnsd: try \"dnsd .*--help\"$", lines[1]);
        Assert.Empty(_output.ToString());
    }

    [Theory]
    [InlineData("zone", "check", "--", "-a.example", "FILE")]
    [InlineData("zone", "check", "--json", "--", "-a.example", "FILE")]
    public async Task An_argument_after_two_dashes_may_begin_with_a_dash(params string[] args)
    {
        _folder.Write("-.zone", "@ 60 SOA a a 1 2 3 4 5\n@ 60 NS a.example.net.\n");
        string[] words = [.. args.Select(word => word == "FILE" ? Path.Combine(_folder.Root, "-.zone") : word)];
        Assert.Equal((0, ""), (await Run(words), Errors));
    }

    [Fact]
    public async Task A_key_of_an_unknown_algorithm_is_answered_with_those_that_there_are()
    {
        Assert.Equal(2, await Run("tsig", "generate", "k1", "--algorithm", "md5"));
        Assert.Contains("--algorithm md5: expected one of hmac-", Errors);
        Assert.Empty(_output.ToString());
    }

    [Fact]
    public async Task Name_and_file_that_changed_places_are_told_apart()
    {
        string file = _folder.Write("a.zone", GoodZone);
        Assert.Equal(2, await Run("zone", "check", file, "a.example"));
        Assert.StartsWith("dnsd: error: \"a.zone\" is a file: expected NAME, then FILE", Errors);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("run", "--help")]
    [InlineData("zone", "dump", "--help")]
    [InlineData("query", "-h")]
    public async Task Help_shows_examples_and_exit_codes(params string[] args)
    {
        Assert.Equal(0, await Run(args));
        Assert.Contains("Examples:", _output.ToString());
        Assert.Contains("dnsd " + string.Join(' ', args[..^1]), _output.ToString());
        Assert.Contains("2 malformed command line", _output.ToString());
    }

    [Fact]
    public async Task Version_is_one_line()
    {
        Assert.Equal(0, await Run("--version"));
        Assert.Matches(@"^\d+\.\d+\.\d+( \([0-9a-f]{12}\))?\r?\n$", _output.ToString());
    }

    [Fact]
    public async Task A_missing_settings_file_is_one_line_and_exit_code_1()
    {
        Assert.Equal(1, await Run("run", "--config", Path.Combine(_folder.Root, "none.json")));
        Assert.Equal("none.json: error: the settings file does not exist" + Environment.NewLine, Errors);
    }

    [Fact]
    public async Task A_missing_zone_directory_is_one_line_and_exit_code_1()
    {
        string file = _folder.Write("d.json",
            """{ "Dns": { "Listen": [ "127.0.0.1:0" ], "Zones": [ { "Directory": "none" } ] } }""");
        Assert.Equal(1, await Run("--config", file));
        Assert.Equal(
            "d.json:1:52: error: cannot read the zone directory none: it does not exist" + Environment.NewLine, Errors);
    }

    [Fact]
    public async Task Zone_check_prints_json()
    {
        string file = _folder.Write("bad.zone", GoodZone + "x 60 A 192.0.2\n");
        Assert.Equal(1, await Run("zone", "check", "example", file, "--json"));
        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        JsonElement root = document.RootElement, found = root.GetProperty("diagnostics")[0];
        Assert.Equal(
            ("example.", file, false), (Text(root, "zone"), Text(root, "file"), root.GetProperty("good").GetBoolean()));
        Assert.Equal(("error", file), (Text(found, "severity"), Text(found, "file")));
        Assert.Equal((3, 8), (Number(found, "line"), Number(found, "column")));
        Assert.NotEmpty(Text(found, "message"));
        Assert.Empty(Errors);
        _output.GetStringBuilder().Clear();
        file = _folder.Write("quoted.zone", GoodZone + "x 60 BOGUS 192.0.2.1\n");
        await Run("zone", "check", "example", file, "--json");
        Assert.Contains("\\\"BOGUS\\\"", _output.ToString());

        static string Text(JsonElement element, string name) => element.GetProperty(name).GetString()!;
        static int Number(JsonElement element, string name) => element.GetProperty(name).GetInt32();
    }

    [Fact]
    public async Task Zone_check_with_dnssec_prints_the_verification_as_json()
    {
        string file = _folder.Write("a.zone", GoodZone);
        string keys = Path.Combine(_folder.Root, "k"), signed = Path.Combine(_folder.Root, "s");
        Assert.Equal(0, await Run("zone", "sign", "example", file, "--keys", keys, "--output", signed));
        _output.GetStringBuilder().Clear();
        Assert.Equal(0, await Run("zone", "check", "example", signed, "--dnssec", "--json"));
        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        JsonElement root = document.RootElement;
        Assert.True(root.GetProperty("good").GetBoolean());
        Assert.Empty(root.GetProperty("diagnostics").EnumerateArray());
        Assert.Equal(4, root.GetProperty("signatures").GetInt64());
        Assert.True(root.GetProperty("firstExpiration").GetDateTimeOffset() > DateTimeOffset.UtcNow);
    }

    [Fact]
    public async Task Check_prints_every_problem_of_settings_and_zones()
    {
        _folder.Write("bad.zone", "@ 60 A 192.0.2.1\n");
        string file =
            _folder.Write("d.json",
                """{ "Dns": { "Workrs": 1, "Zones": [ { "Name": "a", "File": "bad.zone" }, { "Name": "b", "File": "none" } ] } }""");
        Assert.Equal(1, await Run("check", "--config", file));
        Assert.Contains("d.json:1:12: error: unknown setting Dns:Workrs: did you mean \"Workers\"?", Errors);
        Assert.Contains("bad.zone:1:1: error: ", Errors);
        Assert.Contains("none: error: ", Errors);
        Assert.Contains(": 1 problem", _output.ToString());
        Assert.Contains("zones: 0 good with 0 records", _output.ToString());
        Assert.EndsWith(", 2 bad" + Environment.NewLine, _output.ToString());
    }

    [Fact]
    public async Task Check_of_good_settings_and_zones_is_exit_code_0()
    {
        _folder.Write("zones/a.example.zone", GoodZone);
        string file = _folder.Write("d.json", """{ "Dns": { "Zones": [ { "Directory": "zones" } ] } }""");
        Assert.Equal(0, await Run("check", "-c", file));
        Assert.Empty(Errors);
        Assert.StartsWith($"settings: {file} (--config)" + Environment.NewLine, _output.ToString());
        Assert.Contains("zone a.example.: good, serial 1, 2 records, " +
            Path.Combine(_folder.Root, "zones", "a.example.zone"), _output.ToString());
        Assert.Contains("zones: 1 good with 2 records and 0 warnings, 0 bad", _output.ToString());
    }

    [Fact]
    public async Task Check_counts_a_file_that_is_named_after_no_zone()
    {
        _folder.Write("zones/a..b.zone", GoodZone);
        string file = _folder.Write("d.json", """{ "Dns": { "Zones": [ { "Directory": "zones" } ] } }""");
        Assert.Equal(1, await Run("check", "-c", file));
        Assert.Contains("dnsd: error: zones/a..b.zone: \"a..b\" is not the name of a zone", Errors.Replace('\\', '/'));
    }

    [Theory]
    [InlineData("a.example (1).zone", @"a.example\032\(1\).")]
    [InlineData("Copy of a.example.zone", @"Copy\032of\032a.example.")]
    public async Task Check_warns_of_a_file_that_has_the_name_of_a_copy(string name, string zone)
    {
        string copy = _folder.Write("zones/" + name, GoodZone);
        _folder.Write("zones/0-25.2.0.192.in-addr.arpa.zone", GoodZone);
        _folder.Write("zones/0%2F25.2.0.192.in-addr.arpa.zone", GoodZone);
        _folder.Write("zones/_tcp.a.example.zone", GoodZone);
        string file = _folder.Write("d.json", """{ "Dns": { "Zones": [ { "Directory": "zones" } ] } }""");
        Assert.Equal(0, await Run("check", "-c", file));
        Assert.Equal($"{copy}: warning: this is served as zone {zone}, after the file; is it a copy?" +
            Environment.NewLine, _errors.ToString());
    }

    [Fact]
    public async Task Check_reads_the_zones_that_commands_have_added()
    {
        _folder.Write("zones/a.example.zone", GoodZone);
        string added = _folder.Write("added.zone", GoodZone);
        string file = _folder.Write("d.json", """{ "Dns": { "Zones": [ { "Directory": "zones" } ] } }""");
        string state = _folder.Write("d.state/zones.json", $$"""
            { "version": 1, "added": [ { "name": "b.example.", "file": {{System.Text.Json.JsonSerializer.Serialize(added)}} } ], "removed": [ "a.example." ] }
            """);
        Assert.Equal(0, await Run("check", "-c", file));
        Assert.StartsWith($"{state}: warning: zone a.example. of the settings is not served: ", _errors.ToString());
        Assert.Contains($"zone b.example.: good, serial 1, 2 records, {added}", _output.ToString());
        Assert.DoesNotContain("zone a.example.", _output.ToString());
        _folder.Write("d.state/zones.json", "{ }");
        Assert.Equal(0, await Run("check", "-c", file));
        _folder.Write("d.state/zones.json", """{ "version": 2 }""");
        _errors.GetStringBuilder().Clear();
        Assert.Equal(1, await Run("check", "-c", file));
        Assert.StartsWith($"{state}: error: it is not of version 1", _errors.ToString());
    }

    [Fact]
    public async Task Check_refuses_files_whose_directory_is_missing()
    {
        _folder.Write("zones/a.example.zone", GoodZone);
        string file = _folder.Write("d.json", """
            { "Dns": { "Zones": [ { "Directory": "zones" } ], "QueryLog": { "File": "none/q" }, "Cache": { "File": "zones/c" },
              "Dnstap": { "File": "none/t" }, "Control": { "Socket": "auto" } } }
            """);
        Assert.Equal(1, await Run("check", "-c", file));
        string[] lines = Errors.TrimEnd().ReplaceLineEndings("\n").Split('\n');
        Assert.Equal(
            new[] { "error: Dns:QueryLog:File", "error: Dns:Dnstap:File" },
            lines.Select(line => line[line.IndexOf("error", StringComparison.Ordinal)..]
                .Replace(": there is no directory none", "").Split(": make it")[0]));
    }

    [Fact]
    public void A_control_socket_without_a_directory_says_so()
    {
        string path = Path.Combine(_folder.Root, "none", "s");
        Assert.Equal("its directory does not exist",
            Assert.Throws<IOException>(() => UnixControlListener.Bind(path)).Message);
    }

    [Fact]
    public async Task A_socket_that_no_server_can_have_is_an_error_of_commands_and_not_chosen_by_a_start()
    {
        if (!OperatingSystem.IsLinux()) return;
        string path = "/" + new string('s', 107);
        const string expected = "expected a path of 1 to 107 octets, and this one has ";
        Assert.Equal(expected + "108", Assert.Throws<IOException>(() => UnixControlListener.Bind(path)).Message);
        foreach (string socket in (string[])[path, ""])
        {
            _errors.GetStringBuilder().Clear();
            Assert.Equal(1, await Run("status", "--socket", socket));
            Assert.EndsWith($"{socket}: no server runs there: {expected}{socket.Length}", Errors.TrimEnd());
        }

        string fit = Path.Combine(_folder.Root, "fit"), unfit = Path.Combine(_folder.Root, new string('d', 80));
        Assert.Equal(Path.Combine(fit, "control-0.sock"), ControlPaths.Choose([], [unfit, fit]));
        Assert.False(Directory.Exists(unfit));
    }

    [Fact]
    public async Task Check_warns_of_a_directory_without_zones()
    {
        _folder.Write("zones/a.example.zone", GoodZone);
        string file =
            _folder.Write("d.json", """{ "Dns": { "Zones": [ { "Directory": "zones", "Pattern": "*.db" } ] } }""");
        Assert.Equal(0, await Run("check", "-c", file));
        Assert.Equal(
            "d.json:1:23: warning: Dns:Zones:0: no file in the directory zones matches the pattern *.db" +
                Environment.NewLine, Errors);
    }

    [Theory]
    [InlineData("\"buffered\": true, \"shared\": true", "Serilog: Buffered writes are not available")]
    [InlineData("\"formatter\": \"No.Such, Thing\"", "Serilog: Type No.Such, Thing was not found.")]
    [InlineData("\"retainedFileTimeLimit\": \"-1.00:00:00\"", "Serilog: Negative value provided")]
    public async Task A_log_that_cannot_be_made_is_a_problem_of_check_and_of_the_start(string arguments, string problem)
    {
        string file = _folder.Write("d.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:0" ], "Admin": { "Listen": null } },
              "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "log/x", {{arguments}} } } ] } }
            """);
        Assert.Equal(1, await Run("check", "-c", file));
        Assert.StartsWith("d.json: error: " + problem, Errors);
        Assert.Contains(": 1 problem", _output.ToString());
        _errors.GetStringBuilder().Clear();
        Assert.Equal(1, await Run("run", "-c", file));
        Assert.StartsWith("d.json: error: " + problem, Errors);
    }

    [Fact]
    public async Task Check_makes_no_log_file()
    {
        string file = _folder.Write("d.json", """
            { "Dns": { "Zones": [ { "Name": "a.example", "File": "a.zone" } ] },
              "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "log/x" } }, { "Name": "Console" } ] } }
            """);
        string zone = _folder.Write("a.zone", GoodZone);
        Assert.Equal(0, await Run("check", "-c", file));
        Assert.Empty(Errors);
        Assert.Equal([zone, file], Directory.GetFileSystemEntries(_folder.Root).Order());
    }

    [Fact]
    public async Task Zone_check_prints_errors_and_fails()
    {
        string file = _folder.Write("a.zone", GoodZone + "www 60 A 192.0.2.256\n");
        Assert.Equal(1, await Run("zone", "check", "a.example", file));
        Assert.StartsWith("a.zone:3:10: error: ", Errors);
    }

    [Fact]
    public async Task Zone_check_passes_with_warnings()
    {
        string file = _folder.Write("a.zone", GoodZone + "other.test. 60 A 192.0.2.1\n");
        Assert.Equal(0, await Run("zone", "check", "a.example", file));
        Assert.StartsWith("a.zone:3:1: warning: ", Errors);
        Assert.Contains("a.example.: good, 2 records", _output.ToString());
    }

    [Theory]
    [InlineData("example,com", "dnsd: warning: the zone example,com. has \",\" in its name: ")]
    [InlineData("a\\032b.example", "dnsd: warning: the zone a\\032b.example. has octet 32 in its name: ")]
    [InlineData("*.example", "dnsd: warning: the zone *.example. has \"*\" in its name: ")]
    [InlineData("_msdcs.xn--bcher-kva.Example-1", "")]
    [InlineData("0/25.2.0.192.in-addr.arpa", "")]
    public async Task A_zone_whose_name_is_probably_misspelled_gets_a_warning(string name, string expected)
    {
        string file = _folder.Write("a.zone", GoodZone);
        Assert.Equal(0, await Run("zone", "check", name, file));
        Assert.StartsWith(expected, Errors);
        if (expected.Length == 0) Assert.Empty(Errors);
        Assert.Contains(": good, 2 records", _output.ToString());
    }

    [Fact]
    public async Task Zone_check_of_a_missing_file_is_exit_code_1()
    {
        Assert.Equal(1, await Run("zone", "check", "a.example", Path.Combine(_folder.Root, "none")));
        Assert.StartsWith("none: error: ", Errors);
    }

    [Theory]
    [InlineData("status")]
    [InlineData("stop")]
    [InlineData("zone", "status", "a.example")]
    public async Task The_server_is_found_by_settings_with_errors_elsewhere(params string[] args)
    {
        string file = _folder.Write("dnsd.json",
            """{ "Dns": { "Control": { "Socket": "none.sock" }, "Workers": -1, "Zonse": [] } }""");
        Assert.Equal(1, await Run([.. args, "--config", file]));
        string[] lines = Errors.TrimEnd().Split(Environment.NewLine);
        Assert.Equal(2, lines.Length);
        Assert.StartsWith("dnsd: warning: the settings have 2 errors, the first is dnsd.json:1:50: error: Dns:Workers",
            lines[0]);
        Assert.Contains("none.sock: no server runs there", lines[1]);
    }

    [Theory]
    [InlineData("{ \"Dns\": { ", "dnsd: error: dnsd.json:1:12: error: not valid JSON: ")]
    [InlineData("{ \"Dns\": { \"Listen\": [\"x\"] } }", "dnsd: error: dnsd.json:1:23: error: Dns:Listen:0 is \"x\"")]
    public async Task Settings_that_do_not_say_where_the_server_is_are_refused_with_a_hint(string json, string expected)
    {
        Assert.Equal(1, await Run("status", "--config", _folder.Write("dnsd.json", json)));
        Assert.StartsWith(expected, Errors);
        Assert.EndsWith("\ndnsd: error: these settings do not say where the server is: expected --socket PATH instead",
            Errors.TrimEnd().ReplaceLineEndings("\n"));
    }

    [Fact]
    public async Task Settings_of_a_pipe_are_read_once_for_keys()
    {
        if (OperatingSystem.IsWindows()) Assert.Skip("a pipe has no path");
        string pipe = Path.Combine(_folder.Root, "pipe");
        Assert.True(System.Diagnostics.Process.Start("mkfifo", [pipe]).WaitForExit(60_000));
        string settings = $$"""{ "Dns": { "StateDirectory": "{{_folder.Root}}", "Listen": ["127.0.0.1:1"] } }""";
        _ = Task.Run(() => File.WriteAllText(pipe, settings));
        Task<int> listing = Task.Run(() => Run("keys", "list", "a.example", "--config", pipe));
        Assert.Equal(1, await listing.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.Contains("a.example", Errors);
    }

    [Theory]
    [InlineData("the port is given twice", "query", "a", "@192.0.2.1:53", "-p", "54")]
    [InlineData("expected --short or --json, not both", "query", "a", "+short", "--json")]
    [InlineData("-p: expected a port, 1 to 65535", "query", "a", "-p", "0")]
    public async Task Options_that_contradict_one_another_are_a_malformed_command_line(string expected,
        params string[] args)
    {
        StringWriter errors = new();
        Assert.Equal(2, await DnsdCommand.InvokeAsync(args, TextWriter.Null, errors));
        Assert.StartsWith("dnsd: error: " + expected, errors.ToString());
    }
}
