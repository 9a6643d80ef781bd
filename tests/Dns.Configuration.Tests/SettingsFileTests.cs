using System.Text;

namespace Dns.Configuration.Tests;

public class SettingsFileTests
{
    private readonly List<SettingDiagnostic> _problems = [];

    private SettingNode? Parse(string json) =>
        SettingsFile.Parse("f", Encoding.UTF8.GetBytes(json), _problems, DeclaredSettings.OfProgram);

    [Fact]
    public void Every_setting_knows_its_line_and_column()
    {
        SettingNode root = Parse("{\n  \"Dns\": {\n    \"Listen\": [\n      \"a\", \"b\"\n    ] } }")!;
        SettingNode listen = root.Find("Dns")!.Find("Listen")!;
        Assert.Equal("f:3:5", listen.Location.ToString());
        Assert.Equal(["f:4:7", "f:4:12"], listen.Children.Select(child => child.Location.ToString()));
    }

    [Fact]
    public void Columns_count_characters_not_octets()
    {
        SettingNode root = Parse("{ \"ä\": 1, \"b\": 2 }")!;
        Assert.Equal(11, root.Find("b")!.Location.Column);
    }

    [Fact]
    public void Comments_trailing_commas_and_a_byte_order_mark_are_allowed()
    {
        SettingNode root = Parse("\uFEFF{ // why\n \"a\": [ 1, ], /* b */ }")!;
        Assert.Empty(_problems);
        Assert.Equal("1", root.Find("A")!.Find("0")!.Value);
    }

    [Theory]
    [InlineData("{\n  \"Dns\": {\n    \"Workers\": 1x\n  }\n}", "f:3:17: error: not valid JSON: ")]
    [InlineData("{ \"Dns\": ", "f:1:10: error: not valid JSON: the file ends too early")]
    [InlineData(" \n", "f:2:1: error: not valid JSON: the file is empty")]
    [InlineData("{ } { }", "f:1:5: error: not valid JSON: expected nothing behind the last }")]
    [InlineData("{ 'Dns': 1 }", "f:1:3: error: not valid JSON: text is in double quotes")]
    [InlineData("{ Dns: 1 }", "f:1:3: error: not valid JSON: expected a key in double quotes and a colon, or }")]
    [InlineData("{ \"a\": 1 \"b\": 2 }",
        "f:1:10: error: not valid JSON: expected a comma and the next key in double quotes, or }")]
    [InlineData("{ \"a\" 1 }", "f:1:7: error: not valid JSON: expected a key in double quotes and a colon, or }")]
    [InlineData("{ \"a\": [ 1 2 ] }", "f:1:12: error: not valid JSON: expected a comma and the next value, or ]")]
    [InlineData("{ \"a\": yes }", "f:1:8: error: not valid JSON: expected a value: ")]
    [InlineData("{ \"a\": \"C:\\dnsd\" }", "f:1:12: error: not valid JSON: a \\ in text is written \\\\")]
    [InlineData("{ \"a\": \"b\n\" }", "f:1:10: error: not valid JSON: text in quotes has to end on its line")]
    [InlineData("[ 1 ]", "f:1:1: error: expected an object: { \"Dns\": { ... } }")]
    public void Broken_json_is_reported_with_line_and_column(string json, string expected)
    {
        Assert.Null(Parse(json));
        Assert.StartsWith(expected, Assert.Single(_problems).ToString());
        Assert.DoesNotContain("LineNumber", _problems[0].Message);
    }

    [Fact]
    public void A_key_given_twice_is_an_error()
    {
        Parse("{ \"Dns\": { \"Workers\": 1,\n \"workers\": 2 } }");
        Assert.Equal("f:2:2: error: Dns:workers is given twice, first in line 1", Assert.Single(_problems).ToString());
    }

    [Fact]
    public void Very_deep_nesting_is_an_error_and_no_crash()
    {
        Assert.Null(Parse(new string('[', 100_000)));
        Assert.Contains("not valid JSON", Assert.Single(_problems).Message);
    }

    [Fact]
    public void A_missing_file_is_one_problem_with_its_name()
    {
        Assert.Null(SettingsFile.Read("no/such/dnsd.json", _problems, DeclaredSettings.OfProgram));
        Assert.Equal("no/such/dnsd.json: error: the settings file does not exist", Assert.Single(_problems).ToString());
    }

    [Theory]
    [InlineData("Dns:\n  Listen:\n  - 127.0.0.1:53\n", "f:1:1: error: the file looks like YAML: ")]
    [InlineData("# mine\n---\nDns: {}\n", "f:2:1: error: the file looks like YAML: ")]
    [InlineData("# mine\n\n  .:53 {\n  forward . 192.0.2.1\n}\n",
        "f:3:3: error: the file looks like a Corefile of CoreDNS: ")]
    [InlineData("example.com, example.net {\n}\n", "f:1:1: error: the file looks like a Corefile of CoreDNS: ")]
    [InlineData("options {\n  directory \"/etc/bind\";\n};\n",
        "f:1:1: error: the file looks like named.conf of BIND, of which dnsd import FILE makes settings: ")]
    [InlineData("// c\nzone \"example.com\" {\n};\n", "f:2:1: error: the file looks like named.conf of BIND")]
    [InlineData("server:\n  port: 53\n",
        "f:1:1: error: the file looks like the configuration of another server (unbound.conf, nsd.conf, knot.conf)")]
    [InlineData("[server]\nport = 53\n", "f:1:1: error: the file looks like INI or TOML: ")]
    [InlineData("local-port=53\n",
        "f:1:1: error: the file looks like lines of KEY=VALUE (INI, dnsmasq.conf, pdns.conf): ")]
    [InlineData("$ORIGIN example.com.\n@ SOA a b 1 2 3 4 5\n",
        "f:1:1: error: the file looks like a zone file, which --zone NAME=FILE serves: ")]
    [InlineData("example.com. 3600 IN SOA a b 1 2 3 4 5\n", "f:1:1: error: the file looks like a zone file")]
    [InlineData("<?xml version=\"1.0\"?>\n", "f:1:1: error: the file looks like XML: ")]
    public void A_file_in_another_format_is_named(string text, string expected)
    {
        Assert.Null(Parse(text));
        Assert.StartsWith(expected, Assert.Single(_problems).ToString());
        Assert.EndsWith("settings are JSON such as { \"Dns\": { \"Listen\": [ \"127.0.0.1:53\" ] } }",
            _problems[0].Message);
    }

    [Theory]
    [InlineData("FFFE7B007D00", "f:1:1: error: the file is UTF-16: save it as UTF-8")]
    [InlineData("FEFF007B007D", "f:1:1: error: the file is UTF-16: save it as UTF-8")]
    [InlineData("7B007D00", "f:1:1: error: the file is UTF-16: save it as UTF-8")]
    [InlineData("7B0A2261FC223A317D", "f:2:3: error: the octet 0xFC is not UTF-8: save the file as UTF-8")]
    [InlineData("7F454C4602010100", "f:1:8: error: the file is binary: settings are JSON such as ")]
    public void A_file_that_is_not_UTF_8_is_named(string octets, string expected)
    {
        Assert.Null(SettingsFile.Parse("f", Convert.FromHexString(octets), _problems, DeclaredSettings.OfProgram));
        Assert.StartsWith(expected, Assert.Single(_problems).ToString());
    }

    [Fact]
    public void A_file_without_an_end_is_not_read_for_ever()
    {
        if (!File.Exists("/dev/zero")) return;
        Assert.Null(SettingsFile.Read("/dev/zero", _problems, DeclaredSettings.OfProgram));
        Assert.Contains("cannot read the settings file: it has more than 128 MiB", Assert.Single(_problems).ToString());
    }

    [Fact]
    public void A_directory_is_not_a_settings_file()
    {
        Assert.Null(SettingsFile.Read(Path.GetTempPath(), _problems, DeclaredSettings.OfProgram));
        Assert.Contains("is a directory", Assert.Single(_problems).Message);
    }
}
