using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>What no file of the repository may hold, of whatever kind it is.</summary>
public class FileContentTests
{
    // Written in parts so that this file does not offend itself.
    private static readonly Regex MachinePath = new(
        @"(?<![\w.$}~/-])/(wo" + @"rk|ro" + @"ot|ho" + @"me|Us" + @"ers)/\w|(?<![\w.])[A-Z]:\\Us" + @"ers\\");

    private static readonly Regex RegistryHost = new(
        @"\b(nu" + @"get\.org|npm" + @"js\.(org|com)|py" + @"pi\.org|deb\.de" + @"bian\.org|crates\." +
            @"io|proxy\.go" + @"lang\.org)\b",
        RegexOptions.IgnoreCase);

    private static readonly string[] Text =
        [".cs", ".csproj", ".props", ".sln", ".json", ".md", ".sh", ".yml", ".yaml", ".zone", ".txt", ".editorconfig",
            ".service", ".config", ""];

    private static IEnumerable<string> TextFiles =>
        Repository.Files.Where(path => Text.Contains(Path.GetExtension(path)));

    [Fact]
    public void No_file_names_a_path_of_a_machine() =>
        Diagnostics.None(Lines(MachinePath), "use a path relative to the repository");

    [Fact]
    public void No_file_names_the_host_of_a_package_registry() =>
        Diagnostics.None(Lines(RegistryHost), "where packages come from is the machine's configuration");

    [Fact]
    public void No_merge_mark_is_left() =>
        Diagnostics.None(Lines(new(@"^(<{7}|>{7}) ", RegexOptions.Multiline)), "a merge was not finished");

    [Fact]
    public void Paths_and_hosts_are_recognised()
    {
        Assert.Matches(MachinePath, "cd /wo" + "rk/main");
        Assert.DoesNotMatch(MachinePath, "$HOME/wo" + "rk/x and a.example/ho" + "me/x");
        Assert.Matches(RegistryHost, "https://api.nu" + "get.org/v3");
    }

    private static IEnumerable<string> Lines(Regex pattern) =>
        from path in TextFiles
        from line in Repository.Read(path).Split('\n').Select((text, index) => (text, number: index + 1))
        where pattern.IsMatch(line.text)
        select $"{path}:{line.number}: {line.text.Trim()}";
}
