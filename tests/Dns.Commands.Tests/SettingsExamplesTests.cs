using Dns.Testing;

namespace Dns.Commands.Tests;

/// <summary>The settings of examples/ pass <c>dnsd check</c>, with their zones.</summary>
public sealed class SettingsExamplesTests
{
    private static string Examples => Path.Combine(RepositoryDocs.Folder, "..", "examples");

    public static TheoryData<string, string> Folders => new()
    {
        { "primary", "zones: 2 good with 22 records and 0 warnings, 0 bad" },
        { "secondary", "zones: 0 good with 0 records and 0 warnings, 0 bad" },
        { "hidden-primary", "zones: 1 good with 8 records and 0 warnings, 0 bad" },
        { "office", "zones: 2 good with 210 records and 0 warnings, 0 bad" },
    };

    [Theory]
    [MemberData(nameof(Folders))]
    public async Task An_example_is_checked_without_error_and_warning(string folder, string zones)
    {
        StringWriter output = new(), errors = new();
        string file = Path.Combine(Examples, folder, "dnsd.json");
        // Whether this machine has an address of the example is not the question.
        int code =
            await DnsdCommand.InvokeAsync(["check", "--config", file, "--listen", "127.0.0.1:5300"], output, errors);
        Assert.Equal((ExitCode.Good, ""), (code, errors.ToString()));
        Assert.Contains("settings: 0 problems", output.ToString());
        Assert.Contains(zones, output.ToString());
    }

    [Fact]
    public void The_settings_of_a_new_service_are_good_with_and_without_their_examples()
    {
        using SettingsFolder folder = new();
        folder.Write("zones/a.example.zone", "");
        Assert.Empty(folder.Read(ServiceSettings.Text).Problems);
        string all = ServiceSettings.Text.Replace("// ,", ",");
        Assert.NotEqual(ServiceSettings.Text, all);
        Assert.Empty(folder.Read(all).Problems);
    }

    [Fact]
    public void Every_example_is_checked() => Assert.Equal(
        Directory.GetDirectories(Examples).Select(Path.GetFileName).Order(),
        Folders.Select(row => row.Data.Item1).Order());
}
