using System.Text;

namespace Dns.Server.Tests;

public class SettingsFileTests
{
    private readonly List<SettingProblem> _problems = [];

    private SettingNode? Parse(string json) => SettingsFile.Parse("f", Encoding.UTF8.GetBytes(json), _problems);

    [Fact]
    public void Every_setting_knows_its_line_and_column()
    {
        SettingNode root = Parse("{\n  \"Dns\": {\n    \"Listen\": [\n      \"a\", \"b\"\n    ] } }")!;
        SettingNode listen = root.Find("Dns")!.Find("Listen")!;
        Assert.Equal("f:3:5", listen.Place.ToString());
        Assert.Equal(["f:4:7", "f:4:12"], listen.Children.Select(child => child.Place.ToString()));
    }

    [Fact]
    public void Columns_count_characters_not_octets()
    {
        SettingNode root = Parse("{ \"ä\": 1, \"b\": 2 }")!;
        Assert.Equal(11, root.Find("b")!.Place.Column);
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
    [InlineData("{ } { }", "f:1:5: error: not valid JSON: ")]
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
        Assert.Null(SettingsFile.Read("no/such/dnsd.json", _problems));
        Assert.Equal("no/such/dnsd.json: error: the settings file does not exist", Assert.Single(_problems).ToString());
    }

    [Fact]
    public void A_directory_is_not_a_settings_file()
    {
        Assert.Null(SettingsFile.Read(Path.GetTempPath(), _problems));
        Assert.Contains("is a directory", Assert.Single(_problems).Message);
    }
}
