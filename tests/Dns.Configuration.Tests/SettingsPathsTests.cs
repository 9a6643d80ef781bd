namespace Dns.Configuration.Tests;

public sealed class SettingsPathsTests : IDisposable
{
    private const string Text = """{ "Dns": { "Identity": "x" } }""";
    private readonly SettingsFolder _folder = new();
    private readonly SettingsPaths _paths;

    public SettingsPathsTests() => _paths = new SettingsPaths(
        Path.Combine(_folder.Root, "here", "dnsd.json"), Path.Combine(_folder.Root, "etc", "dnsd.json"),
        Path.Combine(_folder.Root, "program", "dnsd.json"));

    public void Dispose() => _folder.Dispose();

    private string Found(SettingsArguments? arguments = null) =>
        _paths.Find(arguments ?? new()).ToString().Replace(_folder.Root + Path.DirectorySeparatorChar, "")
            .Replace('\\', '/');

    [Fact]
    public void The_first_file_that_exists_is_used_and_named()
    {
        Assert.Equal("none; the command line alone", Found());
        _folder.Write("program/dnsd.json", Text);
        Assert.Equal("program/dnsd.json (the examples; there is neither ./dnsd.json nor etc/dnsd.json)", Found());
        _folder.Write("etc/dnsd.json", Text);
        Assert.Equal("etc/dnsd.json (installed; the working directory has none)", Found());
        _folder.Write("here/dnsd.json", Text);
        Assert.Equal("here/dnsd.json (of the working directory)", Found());
        Assert.EndsWith("other.json (--config)", Found(new() { ConfigFile = "other.json" }));
    }

    [Fact]
    public void Zones_on_the_command_line_leave_the_installed_settings_alone()
    {
        _folder.Write("program/dnsd.json", Text);
        _folder.Write("etc/dnsd.json", Text);
        SettingsArguments arguments = new() { Zones = ["example.net=f"] };
        Assert.Equal("program/dnsd.json (the examples; zones from the command line)", Found(arguments));
        _folder.Write("here/dnsd.json", Text);
        Assert.Equal("here/dnsd.json (of the working directory)", Found(arguments));
    }

    [Fact]
    public void A_file_that_cannot_be_read_is_an_error_and_no_reason_to_use_another()
    {
        _folder.Write("program/dnsd.json", Text);
        _folder.Write("etc/dnsd.json/is-a-directory", "");
        Settings settings = SettingsReader.Read(new() { Paths = _paths }, new System.Collections.Hashtable());
        Assert.Contains("is a directory", Assert.Single(settings.Problems).Message);
        Assert.Equal(_paths.Installed, settings.File);
    }

    [Fact]
    public void Settings_that_are_nowhere_are_one_problem_that_names_the_places()
    {
        Settings settings = SettingsReader.Read(new() { Paths = _paths }, new System.Collections.Hashtable());
        Assert.Equal(
            $"dnsd.json: error: the settings file does not exist, neither here nor as {_paths.Installed} nor as " +
                $"{_paths.Examples}",
            Assert.Single(settings.Problems).ToString());
    }

    [Fact]
    public void The_installed_settings_are_where_a_service_has_them() =>
        Assert.Equal(ServiceSettings.File, SettingsPaths.OfThisMachine.Installed);
}
