using System.Net;
using System.Text.Json;
using Dns.Testing;

namespace Dns.Server.Tests.Hosting;

/// <summary>What a start refuses and can be known before: <c>dnsd check</c> refuses it in the same words.</summary>
public sealed class StartDiagnosticsTests : IDisposable
{
    private const long Memory = 1L << 30;
    private const string Zone = "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\n";

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string[] AtStart(string dns)
    {
        Settings settings = SettingsReader.Read(
            new SettingsArguments { ConfigFile = _folder.Write("dnsd.json", $$"""{ "Dns": {{dns}} }""") },
            new System.Collections.Hashtable(), Memory);
        Assert.Empty(settings.Problems);
        return [.. StartDiagnostics.Find(settings)
            .Select(problem => problem.ToString().Replace(_folder.Root + Path.DirectorySeparatorChar, ""))];
    }

    [Theory]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1"] } ], "Cache": { "MaxBytes": "820M" } }""",
        "dnsd.json:1:83: error: Dns:Cache:MaxBytes is 820M: expected at most 80 per cent of the 1024M that this " +
            "machine or cgroup has, 819M")]
    [InlineData("""{ "Listen": ["127.0.0.1:5353"], "Admin": { "Listen": "127.0.0.1:5353" } }""",
        "dnsd.json:1:53: error: Dns:Admin:Listen is \"127.0.0.1:5353\", where Dns:Listen has 127.0.0.1:5353 for " +
            "TCP: expected another port")]
    [InlineData("""{ "Listen": ["*:5353"], "Admin": { "Listen": "[::1]:5353" } }""",
        "dnsd.json:1:45: error: Dns:Admin:Listen is \"[::1]:5353\", where Dns:Listen has [::]:5353 for TCP: " +
            "expected another port")]
    [InlineData("""{ "Cache": { "File": "none/cache" } }""",
        "dnsd.json:1:23: error: Dns:Cache:File: there is no directory none: make it, with the user of the server as " +
            "its owner")]
    [InlineData("""{ "QueryLog": { "File": "none/q" } }""",
        "dnsd.json:1:26: error: Dns:QueryLog:File: there is no directory none: make it, with the user of the server " +
            "as its owner")]
    [InlineData("""{ "Dnstap": { "File": "none/t" } }""",
        "dnsd.json:1:24: error: Dns:Dnstap:File: there is no directory none: make it, with the user of the server " +
            "as its owner")]
    public void A_start_is_refused_for_settings_that_do_not_fit_together_or_the_machine(string dns, string expected) =>
        Assert.Equal(expected, Assert.Single(AtStart(dns)));

    [Theory]
    [InlineData("""{ "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1"] } ], "Cache": { "MaxBytes": "819M" } }""")]
    // Without a forwarder there is no cache.
    [InlineData("""{ "Cache": { "MaxBytes": "1000G" } }""")]
    [InlineData("""{ "Listen": ["127.0.0.1:5353"], "Admin": { "Listen": "127.0.0.2:5353" } }""")]
    [InlineData("""{ "Listen": ["0.0.0.0:5353"], "Admin": { "Listen": "[::1]:5353" } }""")]
    [InlineData("""{ "Listen": ["127.0.0.1:0"], "Admin": { "Listen": "127.0.0.1:0" } }""")]
    [InlineData(
        """{ "QueryLog": { "File": "queries" }, "Cache": { "File": "cache" }, "Control": { "Socket": "auto" } }""")]
    public void Settings_that_fit_are_no_problem(string dns) => Assert.Empty(AtStart(dns));

    public static TheoryData<string> Refused =>
    [
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Admin": { "Listen": null }, "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1"] } ], "Cache": { "MaxBytes": "1023G" } } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:5353"], "Admin": { "Listen": "127.0.0.1:5353" } } }""",
        """{ "Dns": { "Listen": ["fe80::1"] } }""",
        """{ "Dns": { "Listen": ["*:24100", "127.0.0.1:24100"] } }""",
        """{ "Dns": { "Listen": ["[::ffff:127.0.0.1]:24100"] } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Forward": [ { "Zone": "a.example", "Upstreams": ["192.0.2.1"] } ], "Zones": [ { "Name": "a.example", "File": "a.zone" } ] } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Directory": "nowhere" } ] } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Name": "a.example", "File": "zones/a.example.zone" }, { "Name": "a.example", "File": "a.zone" } ] } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Cache": { "File": "none/cache" } } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "QueryLog": { "File": "none/q" }, "Dnstap": { "File": "none/t" } } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Control": { "Socket": "none/s" } } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Cache": { "File": "zones" } } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Primaries": [] } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "StateDirectory": "unmounted/dnsd" } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"], "Admin": { "Listen": null } }, "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "zones" } } ] } }""",
        """{ "Dns": { "Listen": ["127.0.0.1:0"] }, "Serilog": { "WriteTo": [ { "Name": "Syslog" } ] } }""",
        """options { directory "/etc/bind"; };""",
    ];

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task What_a_start_refuses_check_refuses_in_the_same_words(string json)
    {
        _folder.Write("zones/a.example.zone", Zone);
        _folder.Write("a.zone", Zone);
        string file = _folder.Write("dnsd.json", json);
        string[] ofRun = await RunAsync("run"), ofCheck = await RunAsync("check");
        Assert.NotEmpty(ofRun);
        Assert.All(ofRun, line => Assert.Contains(line, ofCheck));
        Assert.All(ofRun, line => Assert.Contains(": error: ", line));

        async Task<string[]> RunAsync(string command)
        {
            StringWriter output = new(), errors = new();
            Assert.Equal(ExitCode.Bad, await DnsdCommand.InvokeAsync([command, "--config", file], output, errors));
            return errors.ToString()
                .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        }
    }

    [Theory]
    [InlineData("""{ "Listen": ["*:0"] }""", "no zone is configured: every query is REFUSED")]
    [InlineData("""{ "Listen": ["*:0"], "Forward": [ { "Zone": ".", "Upstreams": ["192.0.2.1"] } ] }""",
        "Dns:Recursion:AllowFrom is empty: forwarded names are REFUSED for all clients")]
    [InlineData("""{ "Listen": ["*:0"], "Zones": [ { "Name": "a.example", "File": "a.zone" } ] }""", null)]
    public async Task Check_warns_of_what_only_a_start_would_show(string dns, string? expected)
    {
        _folder.Write("a.zone", Zone);
        string file = _folder.Write("dnsd.json", $$"""{ "Dns": {{dns}} }""");
        StringWriter output = new(), errors = new();
        Assert.Equal(ExitCode.Good, await DnsdCommand.InvokeAsync(["check", "--config", file], output, errors));
        Assert.Equal(expected is null ? "" : $"{file}: warning: {expected}", errors.ToString().TrimEnd());
    }

    [Fact]
    public async Task Check_warns_of_a_state_directory_that_cannot_be_written_to()
    {
        _folder.Write("a.zone", Zone);
        Assert.Equal("", await CheckAsync("state", "\"Dnssec\": \"default\""));
        Assert.Equal("", await CheckAsync("a.zone/state", "\"AllowQuery\": [\"*\"]"));
        string state = Path.Combine(_folder.Root, "a.zone", "state");
        Assert.Equal($"{state}: warning: nothing can be kept there: {Path.Combine(_folder.Root, "a.zone")} is a file",
            await CheckAsync("a.zone/state", "\"Dnssec\": \"default\""));
        if (OperatingSystem.IsLinux())
            Assert.Matches("^/proc/none: warning: nothing can be kept there: .*'/proc'",
                await CheckAsync("/proc/none", "\"Dnssec\": \"default\""));
        Assert.Equal(["a.zone", "dnsd.json"], Directory.GetFileSystemEntries(_folder.Root)
            .Select(path => Path.GetFileName(path)).Order());
    }

    [Fact]
    public void A_control_socket_that_the_server_chooses_is_no_file_of_the_settings()
    {
        Assert.DoesNotContain(StartDiagnostics.WrittenFiles(_folder.Read("{ }")),
            file => file.Key == "Dns:Control:Socket");
        if (OperatingSystem.IsWindows()) return;
        Assert.Contains(StartDiagnostics.WrittenFiles(_folder.Read("""{ "Dns": { "Control": { "Socket": "s" } } }""")),
            file => file.Key == "Dns:Control:Socket");
    }

    [Fact]
    public async Task A_start_refuses_a_state_directory_whose_parent_is_missing()
    {
        string file = _folder.Write("dnsd.json", """
            { "Dns": { "Listen": ["127.0.0.1:0"], "StateDirectory": "unmounted/dnsd", "Zones": [] } }
            """);
        StringWriter output = new(), errors = new();
        Assert.Equal(ExitCode.Bad, await DnsdCommand.InvokeAsync(["run", "--config", file], output, errors));
        Assert.Equal($"{file}:1:39: error: Dns:StateDirectory: there is no directory "
            + $"{Path.Combine(_folder.Root, "unmounted")}: expected it to exist, with its file system mounted",
            errors.ToString().TrimEnd());
        Assert.False(Directory.Exists(Path.Combine(_folder.Root, "unmounted")));
    }

    [LinuxTheory]
    [InlineData("\"state\"", "1:39")]
    [InlineData("\"auto\"", "1:39")]
    public async Task A_start_and_a_check_refuse_a_state_directory_that_is_a_symlink_without_a_target(
        string setting, string place)
    {
        string file = _folder.Write("state.json", $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "StateDirectory": {{setting}}, "Zones": [ { "Directory": "." } ] } }
            """);
        _folder.Write("a.example.zone", Zone);
        string link = Path.Combine(_folder.Root, setting == "\"auto\"" ? "state.state" : "state");
        File.CreateSymbolicLink(link, "private/dnsd");
        string fault = $"{file}:{place}: error: {link} is a symlink to private/dnsd, which does not exist: expected "
            + "the state directory, with the keys and zones of the server";
        foreach (string command in new[] { "run", "check" })
        {
            StringWriter output = new(), errors = new();
            Assert.Equal(ExitCode.Bad, await DnsdCommand.InvokeAsync([command, "--config", file], output, errors));
            Assert.Contains(fault, errors.ToString().Split(Environment.NewLine));
        }
        Directory.CreateDirectory(Path.Combine(_folder.Root, "private/dnsd"));
        StringWriter good = new();
        Assert.Equal(ExitCode.Good, await DnsdCommand.InvokeAsync(["check", "--config", file], good, good));
    }

    [LinuxTheory]
    [InlineData("none", "{0} is a symlink to none, which does not exist")]
    [InlineData("plain", "{0} is a file")]
    public void Nothing_can_be_made_below_a_symlink_to_no_directory(string target, string fault)
    {
        _folder.Write("plain", "text");
        string link = Path.Combine(_folder.Root, "link");
        File.CreateSymbolicLink(link, target);
        Assert.Equal(string.Format(fault, link), WriteTrial.FindDirectoryFault(Path.Combine(link, "logs")));
    }

    [LinuxFact]
    public void A_symlink_to_itself_is_a_file_for_a_trial()
    {
        string link = Path.Combine(_folder.Root, "link");
        File.CreateSymbolicLink(link, "link");
        Assert.Equal($"{link} is a file", WriteTrial.FindDirectoryFault(link));
    }

    [Theory]
    [InlineData(""" "Listen": ["192.0.2.77:24100"] """)]
    [InlineData(""" "Listen": ["127.0.0.1:0", "192.0.2.77:24100"] """)]
    public async Task A_start_refuses_an_address_that_the_machine_lacks(string listen)
    {
        string file = _folder.Write("dnsd.json", $$"""{ "Dns": { {{listen}}, "Admin": { "Listen": null } } }""");
        StringWriter output = new(), errors = new();
        Assert.Equal(ExitCode.Bad, await DnsdCommand.InvokeAsync(["run", "--config", file], output, errors));
        Assert.Equal("dnsd: error: cannot listen on 192.0.2.77:24100 (UDP): this machine does not have the address",
            errors.ToString().TrimEnd());
    }

    [Fact]
    public async Task A_missing_state_directory_is_a_warning_for_settings_of_another_machine()
    {
        string file = _folder.Write("dnsd.json",
            """{ "Dns": { "Listen": ["192.0.2.77:24100"], "StateDirectory": "unmounted/dnsd" } }""");
        StringWriter output = new(), errors = new();
        Assert.Equal(ExitCode.Good,
            await DnsdCommand.InvokeAsync(["check", "--other-machine", "--config", file], output, errors));
        Assert.Contains($"{file}:1:44: warning: Dns:StateDirectory: there is no directory ", errors.ToString());
        Assert.Contains("settings: 0 problems", output.ToString());
    }

    private async Task<string> CheckAsync(string stateDirectory, string zoneSettings)
    {
        string file = _folder.Write("dnsd.json", $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "StateDirectory": "{{stateDirectory}}",
                "Zones": [ { "Name": "a.example", "File": "a.zone", {{zoneSettings}} } ] } }
            """);
        StringWriter output = new(), errors = new();
        Assert.Equal(ExitCode.Good, await DnsdCommand.InvokeAsync(["check", "--config", file], output, errors));
        return errors.ToString().TrimEnd();
    }

    [Fact]
    public async Task Check_lists_the_zones_that_have_no_file()
    {
        string file = _folder.Write("dnsd.json", """
            { "Dns": { "Listen": ["*:0"], "Zones": [
                { "Name": "b.example", "Type": "secondary", "Primaries": ["192.0.2.1", "[2001:db8::1]:5353"] },
                { "Name": "catalog.example", "Catalog": "producer" } ] } }
            """);
        StringWriter output = new(), errors = new();
        Assert.Equal(ExitCode.Good, await DnsdCommand.InvokeAsync(["check", "--config", file], output, errors));
        Assert.Equal("", errors.ToString());
        Assert.Contains("zone b.example.: secondary of 192.0.2.1:53, [2001:db8::1]:5353", output.ToString());
        Assert.Contains("zone catalog.example.: a catalog that is made here", output.ToString());
    }

    [Theory]
    [InlineData("link")]
    [InlineData("rolled-20300102.txt")]
    public void A_log_file_that_somebody_has_laid_is_refused(string name)
    {
        if (!OperatingSystem.IsLinux()) return;
        string shared = Path.Combine(_folder.Root, "tmp");
        Directory.CreateDirectory(shared);
        File.CreateSymbolicLink(Path.Combine(shared, name), Path.Combine(_folder.Root, "victim"));
        string path = Path.Combine(shared, name.Split('-')[0] + Path.GetExtension(name));
        string json =
            $$"""{ "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": {{JsonSerializer.Serialize(path)}} } } ] } }""";
        Assert.Empty(StartDiagnostics.Find(_folder.Read(json)));
        File.SetUnixFileMode(shared, (UnixFileMode)0x1FF | UnixFileMode.StickyBit);
        string problem = Assert.Single(StartDiagnostics.Find(_folder.Read(json))).Message;
        Assert.StartsWith($"Serilog:WriteTo:0:Args:path is \"{path}\": ", problem);
        Assert.EndsWith("it is a symlink, which is not followed: set the path of the file itself", problem);
    }

    [Theory]
    [InlineData("*:5300", "0.0.0.0:5300 [::]:5300")]
    [InlineData(":5300", "0.0.0.0:5300 [::]:5300")]
    [InlineData("*", "0.0.0.0:53 [::]:53")]
    [InlineData("any", "0.0.0.0:53 [::]:53")]
    [InlineData("any:5300", "0.0.0.0:5300 [::]:5300")]
    [InlineData("localhost:5300", "127.0.0.1:5300 [::1]:5300")]
    [InlineData("LOCALHOST", "127.0.0.1:53 [::1]:53")]
    [InlineData("127.0.0.1", "127.0.0.1:53")]
    [InlineData("127.0.0.1@5300", "127.0.0.1:5300")]
    [InlineData("::1@5300", "[::1]:5300")]
    [InlineData("[::1]#5300", "[::1]:5300")]
    [InlineData("127.0.0.1#5300", "127.0.0.1:5300")]
    public void Words_for_addresses_to_listen_on_are_taken_as_they_are_meant(string text, string expected) =>
        Assert.Equal(expected,
            string.Join(' ', _folder.Options($$"""{ "Listen": [ "{{text}}" ] }""").Listen));

    [Theory]
    [InlineData("udp://192.0.2.1", "192.0.2.1:53")]
    [InlineData("tcp://192.0.2.1:5300", "192.0.2.1:5300")]
    [InlineData("dns://[2001:db8::1]:5300", "[2001:db8::1]:5300")]
    [InlineData("192.0.2.1@5300", "192.0.2.1:5300")]
    [InlineData("2001:db8::1@5300", "[2001:db8::1]:5300")]
    [InlineData("192.0.2.1#5300", "192.0.2.1:5300")]
    [InlineData("2001:db8::1#5300", "[2001:db8::1]:5300")]
    public void Words_for_upstreams_are_taken_as_they_are_meant(string text, string expected) =>
        Assert.Equal(expected, string.Join(' ',
        _folder.Options($$"""{ "Forward": [ { "Zone": ".", "Upstreams": [ "{{text}}" ] } ] }""").Forward[0].Upstreams));

    [Theory]
    [InlineData("any", "0.0.0.0/0 ::/0")]
    [InlineData("*", "0.0.0.0/0 ::/0")]
    [InlineData("localhost", "127.0.0.0/8 ::1/128")]
    [InlineData("none", "")]
    public void Words_for_networks_are_taken_as_they_are_meant(string text, string expected) =>
        Assert.Equal(expected, string.Join(' ',
        _folder.Options($$"""{ "Recursion": { "AllowFrom": [ "{{text}}" ] } }""").Recursion.AllowFrom));

    [Fact]
    public void An_interface_is_answered_with_its_addresses()
    {
        string loopback = System.Net.NetworkInformation.NetworkInterface.GetAllNetworkInterfaces()
            .First(network =>
                network.NetworkInterfaceType == System.Net.NetworkInformation.NetworkInterfaceType.Loopback).Name;
        string problem = Assert.Single(_folder.Problems($$"""{ "Dns": { "Listen": [ "{{loopback}}:53" ] } }"""));
        Assert.Contains($"this version listens on addresses and not on interfaces; {loopback} has 127.0.0.1", problem);
    }

    [Fact]
    public void Every_number_is_taken_from_its_least_to_its_most_and_no_further()
    {
        int numbers = 0;
        foreach (var (path, schema) in SettingsOf(DeclaredSettings.OfProgram.Members, "Dns"))
        {
            if ((schema["type"] as System.Text.Json.Nodes.JsonValue)?.ToString() != "integer") continue;
            numbers++;
            long least = (int)schema["minimum"]!, most = (int)schema["maximum"]!;
            foreach (long value in (long[])[least, most]) Assert.Empty(Problems(path, value));
            foreach (long value in (long[])[least - 1, most + 1])
                Assert.Contains($"{path} is {value}: expected a whole number of", Assert.Single(Problems(path, value)));
        }
        Assert.InRange(numbers, 15, 200);

        string[] Problems(string path, long value)
        {
            string json = value.ToString(System.Globalization.CultureInfo.InvariantCulture);
            return _folder.Problems(path.Split(':').Reverse()
                .Aggregate(json, (inner, key) => $$"""{ "{{key}}": {{inner}} }"""));
        }
    }

    private static IEnumerable<(string Path, System.Text.Json.Nodes.JsonObject Schema)> SettingsOf(
        IEnumerable<Setting> members, string path) => members.SelectMany(member => member is SettingsSection section
            ? SettingsOf(section.Members, $"{path}:{member.Name}") : [($"{path}:{member.Name}", member.Schema())]);

    [Fact]
    public void A_secondary_is_a_zone_and_is_not_forwarded_as_well()
    {
        const string zones =
            """ "Zones": [ { "Name": "b.example", "Type": "secondary", "Primaries": [ "192.0.2.1" ] } ] """;
        ServerOptions options = _folder.Options($"{{ {zones} }}");
        Assert.DoesNotContain(StartDiagnostics.FindWarnings(options, ZoneExpansion.Of(options.Zones)),
            line => line.Contains("no zone"));
        Assert.EndsWith(
            "Dns:Zones:0: zone b.example. is forwarded by Dns:Forward as well: expected one of them",
            Assert.Single(_folder.Problems($$"""
                { "Dns": { {{zones}}, "Forward": [ { "Zone": "B.example", "Upstreams": [ "192.0.2.53" ] } ] } }
                """)));
    }

    [Fact]
    public void A_zone_that_is_served_and_forwarded_is_an_error_with_its_line_in_the_settings()
    {
        string zone = _folder.Write("zones/b.example.zone", Zone);
        Assert.Equal($"dnsd.json:1:23: error: Dns:Zones:0: zone b.example. is served from {zone}, and forwarded by "
            + "Dns:Forward as well: expected one of them",
            Assert.Single(_folder.Read("""
                { "Dns": { "Zones": [ { "Name": "b.example", "File": "zones/b.example.zone" } ],
                    "Forward": [ { "Zone": "b.example", "Upstreams": [ "192.0.2.53" ] } ] } }
                """).Problems).ToString().Replace(_folder.Root + "/dnsd", "dnsd"));
    }

    [Fact]
    public async Task A_zone_of_a_directory_that_is_forwarded_too_is_served_with_a_warning()
    {
        string zone = _folder.Write("zones/b.example.zone", Zone), file = _folder.Write("dnsd.json", """
            { "Dns": { "Listen": ["127.0.0.1:0"], "StateDirectory": null, "Zones": [ { "Directory": "zones" } ],
                "Forward": [ { "Zone": "b.example", "Upstreams": [ "192.0.2.53" ] } ],
                "Recursion": { "AllowFrom": [ "127.0.0.1" ] } } }
            """);
        StringWriter output = new(), errors = new();
        Assert.Equal(ExitCode.Good, await DnsdCommand.InvokeAsync(["check", "--config", file], output, errors));
        Assert.Equal($"{zone}: warning: zone b.example. is served from this file, and not forwarded as Dns:Forward "
            + "has it", errors.ToString().TrimEnd());
    }

    [Fact]
    public void An_assembly_of_the_log_that_is_missing_is_an_error_with_its_line()
    {
        Settings settings =
            _folder.Read("""{ "Serilog": { "Using": [ "Serilog.Sinks.File", "Serilog.Sinks.None" ] } }""");
        Assert.Contains("dnsd.json:1:49: error: Serilog:Using:1 is \"Serilog.Sinks.None\": expected an assembly "
            + "beside the program: Could not load file or assembly",
            Assert.Single(StartDiagnostics.Find(settings)).ToString());
    }

    [Fact]
    public void The_shipped_settings_are_good_and_name_the_default_addresses()
    {
        Settings settings = SettingsReader.Read(
            new() { ConfigFile = Path.Combine(AppContext.BaseDirectory, "examples", "dnsd.json") },
            new System.Collections.Hashtable());
        Assert.Empty(settings.Problems);
        Assert.Equal(ServerOptions.DefaultListen, settings.Options.Listen);
        ZoneExpansion zones = ZoneExpansion.Of(settings.Options.Zones);
        Assert.Contains(zones.Files, file => file.Zone.ToString() == "example.com.");
        Assert.Empty(zones.Problems);
    }
}
