using System.Net;
using Dns.Testing;

namespace Dns.Configuration.Tests;

public sealed class SettingsReaderTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_contract_of_the_settings_is_read()
    {
        ServerOptions options = _folder.Options("""
            { "Listen": ["127.0.0.1:5335", "[::1]:5335"], "Identity": "ns1", "MaxUdpPayload": 1232, "Workers": 0,
              "Zones": [ { "Name": "example.com", "File": "example.com.zone" }, { "Directory": "zones", "Pattern": "*.zone" } ] }
            """);
        Assert.Equal(["127.0.0.1:5335", "[::1]:5335"], options.Listen.Select(address => address.ToString()));
        Assert.Equal(("ns1", 1232, 0), (options.Identity, options.MaxUdpPayload, options.Workers));
        Assert.Equal("example.com.", options.Zones[0].Name!.ToString());
        Assert.Equal(Path.Combine(_folder.Root, "example.com.zone"), options.Zones[0].Path);
        Assert.Equal((null, "*.zone"), (options.Zones[1].Name, options.Zones[1].Pattern));
        Assert.Equal(Path.Combine(_folder.Root, "zones"), options.Zones[1].Path);
    }

    [Fact]
    public void Without_settings_the_defaults_hold()
    {
        ServerOptions options = _folder.Options("{ }");
        Assert.Equal(ServerOptions.DefaultListen, options.Listen);
        Assert.Empty(options.Zones);
        Assert.Equal(Environment.ProcessorCount, options.WorkerCount);
    }

    [Theory]
    [InlineData("""{ "Dns": { "Listn": [] } }""",
        "dnsd.json:1:12: error: unknown setting Dns:Listn: did you mean \"Listen\"?")]
    [InlineData("""{ "Dsn": { } }""", "dnsd.json:1:3: error: unknown setting Dsn: did you mean \"Dns\"?")]
    [InlineData("""{ "Listen": [] }""", "dnsd.json:1:3: error: unknown setting Listen: did you mean \"Dns:Listen\"?")]
    [InlineData("""{ "Dns": { "IdleTimeoutSeconds": 1 } }""",
        "dnsd.json:1:12: error: unknown setting Dns:IdleTimeoutSeconds: did you mean \"Dns:Tcp:IdleTimeoutSeconds\"?")]
    [InlineData("""{ "Dns": { "RateLimit": { "Enabled": true } } }""",
        "dnsd.json:1:27: error: unknown setting Dns:RateLimit:Enabled: expected one of Mode, ResponsesPerSecond, " +
            "ErrorsPerSecond, NxDomainsPerSecond, Slip, IPv4Prefix, IPv6Prefix, Exempt, Table")]
    [InlineData("""{ "Dns": { "Tcp": { "RotateRRsets": true } } }""",
        "dnsd.json:1:21: error: unknown setting Dns:Tcp:RotateRRsets: did you mean \"Dns:RotateRRsets\"?")]
    [InlineData("""{ "Dns": { "Udp": { "Color": 1 } } }""",
        "dnsd.json:1:21: error: unknown setting Dns:Udp:Color: expected one of Listener, ReceiveBufferBytes")]
    [InlineData("""{ "Dns": { "Zones": [ { "Nam": "a", "File": "b" } ] } }""",
        "dnsd.json:1:25: error: unknown setting Dns:Zones:0:Nam: did you mean \"Name\"?")]
    public void An_unknown_setting_is_an_error_with_a_guess(string json, string expected) =>
        Assert.Equal(expected, Assert.Single(_folder.Problems(json)));

    [Theory]
    [InlineData("5", "Dns is a number: expected an object { ... }")]
    [InlineData("""{ "Listen": "127.0.0.1:53" }""",
        "Dns:Listen is \"127.0.0.1:53\": expected a list of addresses such as [\"127.0.0.1:5335\", \"[::1]:5335\"]")]
    [InlineData("""{ "Listen": [ ] }""", "Dns:Listen is empty: expected at least one address")]
    [InlineData("""{ "Listen": [ 53 ] }""",
        "Dns:Listen:0 is 53: expected an address with a port, such as 127.0.0.1:5335, [::1]:5335 or 0.0.0.0:53 " +
            "(without a port: 53)")]
    [InlineData("""{ "Listen": [ "::1", "[::1]:53" ] }""",
        "Dns:Listen:1 is \"[::1]:53\", which is already in the list")]
    [InlineData("""{ "Identity": 5 }""", "Dns:Identity is 5: expected text of 1 to 255 octets, or null")]
    [InlineData("""{ "Identity": "" }""", "Dns:Identity is \"\": expected text of 1 to 255 octets, or null")]
    [InlineData("""{ "MaxUdpPayload": 511 }""",
        "Dns:MaxUdpPayload is 511: expected a whole number of octets from 512 to 65535")]
    [InlineData("""{ "MaxUdpPayload": "1232" }""",
        "Dns:MaxUdpPayload is \"1232\": expected a whole number of octets from 512 to 65535")]
    [InlineData("""{ "Workers": 1.5 }""", "Dns:Workers is 1.5: expected a whole number of threads from 0 to 1024")]
    [InlineData("""{ "Workers": null }""", "Dns:Workers is null: expected a whole number of threads from 0 to 1024")]
    [InlineData("""{ "Workers": 99999999999 }""",
        "Dns:Workers is 99999999999: expected a whole number of threads from 0 to 1024")]
    [InlineData("""{ "RotateRRsets": "yes" }""", "Dns:RotateRRsets is \"yes\": expected true or false")]
    [InlineData("""{ "Udp": [ ] }""",
        "Dns:Udp is a list: expected an object { ... } with any of Listener, ReceiveBufferBytes")]
    [InlineData("""{ "Udp": { "Listener": "fast" } }""",
        "Dns:Udp:Listener is \"fast\": expected one of auto, batched, portable")]
    [InlineData("""{ "Tcp": { "MaxConnections": 0 } }""",
        "Dns:Tcp:MaxConnections is 0: expected a whole number of connections from 1 to 1000000")]
    public void A_value_that_cannot_be_is_an_error(string dns, string expected) =>
        Assert.EndsWith(": error: " + expected, Assert.Single(_folder.Problems($$"""{ "Dns": {{dns}} }""")));

    [Theory]
    [InlineData("""{ "Name": "a..b", "File": "f" }""",
        "Dns:Zones:0:Name is \"a..b\": expected a domain name in ASCII (international names as xn--...)")]
    [InlineData("""{ "Name": "münchen.example", "File": "f" }""",
        "Dns:Zones:0:Name is \"münchen.example\": expected a domain name in ASCII (international names as xn--...)")]
    [InlineData("""{ "File": "a" }""", "Dns:Zones:0: expected either Name and File, or Directory and perhaps Pattern")]
    [InlineData("""{ "Name": "a" }""",
        "Dns:Zones:0: expected File, or \"Type\": \"secondary\" and Primaries, or \"Catalog\": \"producer\"")]
    [InlineData("""{ "Name": "a", "File": "f", "Directory": "d" }""",
        "Dns:Zones:0:Directory: a zone with Name does not have Directory: expected either Name, or Directory and " +
            "perhaps Pattern")]
    [InlineData("""{ "Name": "a", "File": 5 }""", "Dns:Zones:0:File is 5: expected text")]
    [InlineData("\"a.zone\"",
        "Dns:Zones:0 is \"a.zone\": expected an object with Name and File, or with Directory and Pattern")]
    public void A_zone_entry_that_makes_no_sense_is_an_error(string entry, string expected) =>
        Assert.EndsWith(": error: " + expected,
            Assert.Single(_folder.Problems($$"""{ "Dns": { "Zones": [ {{entry}} ] } }""")));

    [Fact]
    public void A_zone_given_twice_is_an_error_whatever_its_spelling() =>
        Assert.Equal(
            ["dnsd.json:2:2: error: Dns:Zones:1: zone A.example. is given twice, first at " +
                Path.Combine(_folder.Root, "dnsd.json") + ":1:23"],
            [.. _folder.Read("""
                { "Dns": { "Zones": [ { "Name": "a.example", "File": "f" },
                 { "Name": "A.example.", "File": "g" } ] } }
                """).Problems.Select(problem => problem.ToString()[(_folder.Root.Length + 1)..])]);

    [Fact]
    public void All_problems_are_reported_at_once_in_the_order_of_the_file() =>
        Assert.Equal(
            ["dnsd.json:1:12", "dnsd.json:2:2", "dnsd.json:3:4"],
            _folder.Problems("{ \"Dns\": { \"Workers\": -1,\n \"Colour\": 1,\n   \"MaxUdpPayload\": 1 } }")
                .Select(problem => problem[..problem.IndexOf(": error")]));

    [Fact]
    public void An_environment_variable_replaces_one_value()
    {
        ServerOptions options = _folder.Options(
            """{ "Listen": ["127.0.0.1:1", "127.0.0.1:2"], "Workers": 1 }""", null,
            ("Dns__Listen__0", "127.0.0.1:9"), ("DNS__WORKERS", "7"), ("Dns__Udp__Listener", "portable"),
            ("Dns__RotateRRsets", "True"), ("dns__listen__1", "127.0.0.1:8"));
        Assert.Equal(["127.0.0.1:9", "127.0.0.1:8"], options.Listen.Select(endPoint => endPoint.ToString()));
        Assert.Equal((7, UdpListenerKind.Portable, true),
            (options.Workers, options.Udp.Listener, options.RotateRRsets));
    }

    [Fact]
    public void Environment_variables_make_a_list_in_numeric_order()
    {
        (string, string)[] variables =
            [.. Enumerable.Range(0, 11).Reverse().Select(i => ($"Dns__Listen__{i}", $"127.0.0.1:{i + 1}"))];
        Assert.Equal(Enumerable.Range(1, 11),
            _folder.Options("{ }", null, variables).Listen.Select(address => address.EndPoint.Port));
    }

    [Fact]
    public void A_zone_can_come_from_the_environment()
    {
        ServerOptions options =
            _folder.Options("{ }", null, ("Dns__Zones__0__Name", "."), ("Dns__Zones__0__File", "root.zone"));
        Assert.Equal(Path.Combine(_folder.Root, "root.zone"), Assert.Single(options.Zones).Path);
    }

    [Theory]
    [InlineData("Dns__Listn__0", "x", "unknown setting Dns:Listn: did you mean \"Listen\"?")]
    [InlineData("Dns__Workers", "many", "Dns:Workers is \"many\": expected a whole number of threads from 0 to 1024")]
    [InlineData("Dns__Listen", "127.0.0.1",
        "Dns:Listen is \"127.0.0.1\": expected a list of addresses such as [\"127.0.0.1:5335\", \"[::1]:5335\"]")]
    public void A_bad_environment_variable_is_named(string name, string value, string expected) =>
        Assert.Equal($"environment variable {name}: error: {expected}",
            Assert.Single(_folder.Problems("{ }", null, (name, value))));

    [Fact]
    public void Other_environment_variables_are_left_alone() =>
        Assert.Empty(
            _folder.Problems("{ }", null, ("DNS", "192.0.2.1"), ("DnsServer", "x"), ("PATH", "x"), ("Serilog", "x")));

    [Fact]
    public void Listen_and_zone_replace_the_lists()
    {
        ServerOptions options = _folder.Options(
            """{ "Listen": ["127.0.0.1:1", "127.0.0.1:2"], "Zones": [ { "Directory": "a" }, { "Directory": "b" } ] }""",
            new() { Listen = ["127.0.0.1:7"], Zones = ["example.com=x/y.zone"] });
        Assert.Equal("127.0.0.1:7", Assert.Single(options.Listen).ToString());
        Assert.Equal(Path.GetFullPath("x/y.zone"), Assert.Single(options.Zones).Path);
    }

    [Fact]
    public void Zones_of_the_command_line_need_no_settings_file_to_be_good()
    {
        Settings settings = SettingsReader.Read(
            new() { ConfigFile = Path.Combine(_folder.Root, "none.json"), Zones = ["a=b"] },
            new System.Collections.Hashtable());
        Assert.EndsWith("the settings file does not exist", Assert.Single(settings.Problems).ToString());
    }

    [Fact]
    public void The_command_line_goes_over_environment_and_file()
    {
        ServerOptions options = _folder.Options(
            """{ "Workers": 1 }""", new() { Overrides = ["Dns:Workers=3", "Dns:Identity=a=b"] }, ("Dns__Workers", "2"));
        Assert.Equal((3, "a=b"), (options.Workers, options.Identity));
    }

    [Fact]
    public void A_bad_override_is_told_to_come_from_the_command_line() =>
        Assert.Equal(
            "command line: error: unknown setting Dns:Worker: did you mean \"Workers\"?",
            Assert.Single(_folder.Problems("{ }", new() { Overrides = ["Dns:Worker=3"] })));

    [Theory]
    [InlineData("""{ "MinimumLevel": "Loud" }""",
        "Serilog:MinimumLevel is \"Loud\": expected one of Verbose, Debug, Information, Warning, Error, Fatal")]
    [InlineData("""{ "MinimumLevel": { "Override": { "Microsoft": "Off" } } }""",
        "Serilog:MinimumLevel:Override:Microsoft is \"Off\": expected one of Verbose, Debug, Information, Warning, " +
            "Error, Fatal")]
    [InlineData("""{ "WriteTo": [ { "Name": "Fil" } ] }""",
        "Serilog:WriteTo:0:Name is \"Fil\": expected a sink with the Name Console or File")]
    [InlineData("""{ "MinimmLevel": "Debug" }""",
        "unknown setting Serilog:MinimmLevel: did you mean \"MinimumLevel\"?")]
    [InlineData("""{ "WriteTo": [ { "Name": "File" } ] }""",
        "Serilog:WriteTo:0 has no Args:path: expected the file to write to")]
    [InlineData("""{ "WriteTo": [ { "Name": "File", "Args": { "path": "l", "buffred": true } } ] }""",
        "unknown setting Serilog:WriteTo:0:Args:buffred: did you mean \"buffered\"?")]
    [InlineData("""{ "WriteTo": [ { "Name": "Console", "Args": { "path": "l" } } ] }""",
        "unknown setting Serilog:WriteTo:0:Args:path: expected one of "
        + "outputTemplate, formatter, restrictedToMinimumLevel, levelSwitch, standardErrorFromLevel, theme, "
        + "applyThemeToRedirectedOutput, formatProvider, syncRoot")]
    [InlineData("""{ "WriteTo": [ { "Name": "File", "Args": { "path": "x", "rollingInterval": "day" } } ] }""",
        "Serilog:WriteTo:0:Args:rollingInterval is \"day\": did you mean \"Day\"?")]
    [InlineData("""{ "WriteTo": [ { "Name": "File", "Args": { "path": "x", "rollingInterval": "Weekly" } } ] }""",
        "Serilog:WriteTo:0:Args:rollingInterval is \"Weekly\": expected one of Infinite, Year, Month, Day, Hour, " +
            "Minute")]
    [InlineData("""{ "WriteTo": [ { "Name": "Console", "Args": { "restrictedToMinimumLevel": "Eror" } } ] }""",
        "Serilog:WriteTo:0:Args:restrictedToMinimumLevel is \"Eror\": did you mean \"Error\"?")]
    [InlineData("""{ "WriteTo": [ { "Name": "File", "Args": { "path": "x", "buffered": "yes" } } ] }""",
        "Serilog:WriteTo:0:Args:buffered is \"yes\": expected one of true, false")]
    [InlineData("""{ "WriteTo": [ { "Name": "File", "Args": { "path": "x", "fileSizeLimitBytes": "1M" } } ] }""",
        "Serilog:WriteTo:0:Args:fileSizeLimitBytes is \"1M\": expected a number of bytes from 1")]
    [InlineData("""{ "WriteTo": [ { "Name": "File", "Args": { "path": "x", "retainedFileCountLimit": 0 } } ] }""",
        "Serilog:WriteTo:0:Args:retainedFileCountLimit is 0: expected a number of files from 1")]
    [InlineData("""{ "WriteTo": [ { "Name": "File", "Args": { "path": "x", "retainedFileTimeLimit": "7 days" } } ] }""",
        "Serilog:WriteTo:0:Args:retainedFileTimeLimit is \"7 days\": expected a time as DAYS.HH:MM:SS")]
    [InlineData("5", "Serilog is 5: expected an object { ... }")]
    public void A_log_setting_that_would_be_ignored_is_an_error(string serilog, string expected) =>
        Assert.EndsWith(": error: " + expected, Assert.Single(_folder.Problems($$"""{ "Serilog": {{serilog}} }""")));

    [Fact]
    public void The_log_gets_its_section_with_absolute_paths()
    {
        Settings settings = _folder.Read("""
            { "$schema": "x", "Serilog": { "MinimumLevel": { "Default": "Debug" },
              "WriteTo": [ { "Name": "File", "Args": { "path": "log/d-.log", "rollingInterval": "Day" } } ] } }
            """, null, ("Serilog__MinimumLevel__Default", "Error"));
        Assert.Empty(settings.Problems);
        Assert.Equal("Error", settings.Configuration["Serilog:MinimumLevel:Default"]);
        Assert.Equal(Path.Combine(_folder.Root, "log/d-.log"), settings.Configuration["Serilog:WriteTo:0:Args:path"]);
    }

    [Fact]
    public void The_list_of_zones_is_read_in_linear_time_and_kept_out_of_the_configuration()
    {
        string zones = string.Join(",",
            Enumerable.Range(0, 100_000).Select(i => $$"""{ "Name": "z{{i}}.example", "File": "f" }"""));
        Settings settings = _folder.Read($$"""{ "Dns": { "Zones": [ {{zones}} ] } }""");
        Assert.Equal(100_000, settings.Options.Zones.Count);
        Assert.Null(settings.Configuration["Dns:Zones:0:Name"]);
    }

    [Fact]
    public void An_unknown_argument_of_a_sink_is_answered_with_those_that_it_has() =>
        Assert.Contains("unknown setting Serilog:WriteTo:0:Args:file: expected one of path, outputTemplate, ",
            _folder.Problems("""{ "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "file": "x" } } ] } }""")
                .Single(problem => problem.Contains("unknown setting")));

    [LinuxTheory]
    [InlineData("Control")]
    [InlineData("Dnstap")]
    public void The_path_of_a_socket_has_at_most_the_octets_that_the_system_takes(string section)
    {
        // ü has two octets, and a relative path counts with the folder.
        string longest = "ü" + new string('s', 107 - 2 - (_folder.Root.Length + 1));
        Assert.Empty(Problems(longest));
        string expected = $"dnsd.json:1:{section.Length + 18}: error: Dns:{section}:Socket is the socket {longest}s: "
            + "expected a path of 1 to 107 octets, and this one has 108";
        Assert.Equal(expected, Assert.Single(Problems(longest + "s")));

        string[] Problems(string path) =>
            _folder.Problems($$"""{ "Dns": { "{{section}}": { "Socket": "{{path}}" } } }""");
    }
}
