using System.Text.RegularExpressions;

namespace Dns.Commands.Tests;

/// <summary>The manual and the completions are made of the program's own tables; these hold them to it.</summary>
public class ManualTests
{
    private static readonly StringWriter Errors = new();

    private static async Task<string> RunAsync(params string[] args)
    {
        StringWriter output = new();
        Assert.Equal(0, await DnsdCommand.InvokeAsync(args, output, Errors));
        return output.ToString();
    }

    private static IEnumerable<string> SettingNames(IEnumerable<Setting> members, string path) =>
        members.SelectMany(member => member is SettingsSection section
            ? SettingNames(section.Members, $"{path}:{member.Name}") : [$"{path}:{member.Name}"]);

    [Fact]
    public async Task The_manual_of_the_settings_has_every_setting_with_its_default()
    {
        string page = await RunAsync("manual", "dnsd.json.5");
        Assert.All(SettingNames(DeclaredSettings.OfProgram.Members, "Dns"),
            name => Assert.Contains($"\n\\fB{name}\\fR\n", page));
        Assert.Matches(@"\\fBDns:MaxUdpPayload\\fR\n.*whole number of octets, 512 to 65535\. Default: 1232\.\n", page);
    }

    [Fact]
    public async Task The_manual_of_the_program_has_every_command_of_the_help()
    {
        string page = await RunAsync("manual", "dnsd.8");
        string help = await RunAsync("--help");
        string[] commands =
            [.. Regex.Matches(help.Split("Commands:")[1].Split("Examples:")[0], @"^  (\w+) ", RegexOptions.Multiline)
            .Select(match => match.Groups[1].Value)];
        Assert.Contains("run", commands);
        Assert.All(commands, command => Assert.Matches($@"\n\.SS ""dnsd {command}[ ""]", page));
        Assert.Contains("\\-\\-strict", page);
    }

    [Theory]
    [InlineData("dnsd.8")]
    [InlineData("dnsd.json.5")]
    public async Task No_text_of_a_page_is_taken_for_a_request(string name)
    {
        string page = await RunAsync("manual", name);
        string[] requests = [".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi"];
        Assert.All(page.Split('\n').Where(line => line.StartsWith('.') || line.StartsWith('\'')),
            line => Assert.Contains(line.Split(' ')[0], requests));
    }

    [Theory]
    [InlineData("bash", "zone) all='check dump")]
    [InlineData("zsh", "#compdef dnsd")]
    [InlineData("fish", "complete -c dnsd -n '__fish_use_subcommand' -f -a zone ")]
    public async Task Completions_hold_the_verbs_and_options(string shell, string expected)
    {
        string script = (await RunAsync("completion", shell)).Replace("' zone')", "zone)");
        Assert.Contains(expected, script);
        Assert.All(["query", "completion", "install", "strict"], word => Assert.Contains(word, script));
        Assert.DoesNotContain("windows-service", script);
    }

    [Theory]
    [InlineData("bash")]
    [InlineData("zsh")]
    public async Task Completions_know_values_and_leave_room_for_files(string shell)
    {
        string script = await RunAsync("completion", shell);
        Assert.Contains("    ' querylog') all='off on' options='", script);
        Assert.Contains("    ' import --from') all='bind knot nsd unbound' ;;\n", script);
        Assert.Contains("    ' run -c') all='' ;;\n", script);
        Assert.Contains("    ' zone check') all='' options='--", script);
        Assert.Contains("    ' status') all='--socket ", script);
        Assert.Contains(
            "  case \"$at\" in ' zone status' | ' zone reload' | ' zone notify' | ' zone remove' | ", script);
        Assert.Matches(@"' zone journal'[^)\n]*\) all=""\$\(", script);
    }

    [Fact]
    public async Task Completions_of_fish_know_values_too()
    {
        string script = await RunAsync("completion", "fish");
        Assert.Contains("complete -c dnsd -n '__fish_seen_subcommand_from querylog' -f -a 'off on'\n", script);
        Assert.Contains(" -l from -x -a 'bind knot nsd unbound' -d ", script);
    }

    [Theory]
    [InlineData("bash")]
    [InlineData("zsh")]
    [InlineData("fish")]
    [InlineData("powershell")]
    public async Task Completions_ask_the_program_for_the_names_of_zones(string shell)
    {
        string script = await RunAsync("completion", shell);
        Assert.Contains(" zone-names ", script);
        // What only scripts run is offered by none.
        Assert.DoesNotContain("zone-names", script.Replace(" zone-names ", ""));
    }

    [Fact]
    public async Task Completions_of_powershell_hold_words_options_and_values()
    {
        string script = await RunAsync("completion", "powershell");
        Assert.Contains("    ' zone' = @('check', 'dump', ", script);
        Assert.Contains("    ' import --from' = @('bind', 'knot', 'nsd', 'unbound')\n", script);
        Assert.Matches(
            @"elseif \(@\(' zone status', ' zone reload', ' zone notify', ' zone remove', [^)\n]*\) -contains \$at\)",
            script);
        Assert.Equal(script.Count(c => c == '{'), script.Count(c => c == '}'));
        Assert.Equal(script.Count(c => c == '('), script.Count(c => c == ')'));
        Assert.DoesNotContain('\r', script);
    }

    [Theory]
    [InlineData(" why <NAME> [TYPE] [options]", "why")]
    [InlineData("  [TYPE]  Which records; A without it.", "why")]
    [InlineData("  <NAME>  The name to explain.", "why")]
    [InlineData(" cache flush [NAME] [options]", "cache", "flush")]
    [InlineData("  flush [NAME] ", "cache")]
    [InlineData("  lookup <NAME> ", "cache")]
    [InlineData(" query <NAME> [TYPE|CLASS|@SERVER|+OPTION...] [options]", "query")]
    public async Task Help_shows_which_arguments_may_be_left_out(string expected, params string[] words) =>
        Assert.Contains(expected, await RunAsync([.. words, "--help"]));

    [Theory]
    [InlineData("dnsd why NAME [TYPE]")]
    [InlineData("dnsd cache flush [NAME]")]
    [InlineData("dnsd zone add NAME FILE")]
    [InlineData("dnsd query NAME [TYPE|CLASS|@SERVER|+OPTION...]")]
    public async Task The_manual_shows_which_arguments_may_be_left_out(string expected) =>
        Assert.Contains($".SS \"{expected}\"\n", await RunAsync("manual", "dnsd.8"));

    [Fact]
    public async Task A_shell_that_is_not_known_is_a_malformed_command_line() =>
        Assert.Equal(2, await DnsdCommand.InvokeAsync(["completion", "tcsh"], new StringWriter(), Errors));
}
