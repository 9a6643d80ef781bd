using System.Collections;

namespace Dns.Reloading.Tests;

/// <summary>What commands have added and removed, over restarts.</summary>
public sealed class KeptZonesTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string State => Path.Combine(_folder.Root, "state");

    private static ZoneFile Zone(string name, string path) => ZoneFile.At(DomainName.Parse(name), path);

    private string Text(string name) => Path.Combine(_folder.Root, name);

    private (ConfiguredZones Sources, string? Fault) Started()
    {
        ConfiguredZones sources = new(TimeProvider.System, new KeptZonesFile(State));
        return (sources, sources.Load(out _));
    }

    private ZoneOptions Setting(string name, string file) =>
        new(new SettingLocation("f", 1, 1), DomainName.Parse(name), Text(file));

    private static string[] Files(ZoneExpansion zones) =>
        [.. zones.Files.Select(file => $"{file.Zone} {file.FileName}").Order(StringComparer.Ordinal)];

    [Fact]
    public void What_was_added_and_removed_is_there_at_the_next_start()
    {
        var (sources, _) = Started();
        ZoneOptions[] settings = [Setting("s.example", "s"), Setting("t.example", "t")];
        sources.Expand(settings);
        sources.Add(Zone("a.example", Text("a")));
        sources.Add(Zone("b.example", Text("b")));
        sources.Add(Zone("b.example", Text("b2")));
        sources.Remove(Zone("a.example", Text("a")));
        sources.Remove(Zone("t.example", Text("t")));
        var (next, fault) = Started();
        Assert.Null(fault);
        Assert.Equal(["b.example. b2", "s.example. s"], Files(next.Expand(settings)));
        Assert.Equal(Text("t"), next.RemovedFile(DomainName.Parse("t.example"))?.Path);
        next.Restore(DomainName.Parse("t.example"));
        Assert.Equal(["b.example. b2", "s.example. s", "t.example. t"], Files(Started().Sources.Expand(settings)));
    }

    [Fact]
    public void A_zone_of_the_settings_goes_before_one_that_was_added()
    {
        Started().Sources.Add(Zone("s.example", Text("added")));
        var (sources, _) = Started();
        ZoneExpansion zones = sources.Expand([Setting("s.example", "s")]);
        Assert.Equal(["s.example. s"], Files(zones));
        Assert.Contains("is that of the settings", Assert.Single(zones.Overruled));
        Assert.False(sources.IsAdded(zones.Files[0]));
        sources.Remove(zones.Files[0]);
        Assert.Empty(Started().Sources.Expand([Setting("s.example", "s")]).Files);
        // Neither of them is forgotten for half.
        Assert.Empty(Started().Sources.Expand([]).Files);
    }

    [Fact]
    public void A_zone_that_was_added_and_removed_may_be_in_the_settings_later()
    {
        var (sources, _) = Started();
        sources.Add(Zone("s.example", Text("s")));
        sources.Remove(Zone("s.example", Text("s")));
        Assert.Equal(["s.example. s"], Files(Started().Sources.Expand([Setting("s.example", "s")])));
    }

    [Fact]
    public void A_zone_that_comes_back_keeps_its_clients()
    {
        var (sources, _) = Started();
        ClientNetworks clients = new([]);
        sources.Expand([Setting("s.example", "s") with { AllowQuery = clients }]);
        sources.Remove(Zone("s.example", Text("s")) with { AllowQuery = clients });
        Assert.Same(clients, sources.RemovedFile(DomainName.Parse("s.example"))?.AllowQuery);
        sources.Expand([]);
        Assert.Null(sources.RemovedFile(DomainName.Parse("s.example")));
        Assert.Same(clients, sources.ForItsClients(Zone("s.example", Text("other"))).AllowQuery);
    }

    [Theory]
    [InlineData("", "line 1 is not as it was written")]
    [InlineData("null", "it is empty")]
    [InlineData("{ \"version\": 2 }", "it is not of version 1")]
    [InlineData("{ \"added\": [ null ] }", "it is not of version 1, or holds no zones")]
    [InlineData("{ \"added\": [ { \"name\": \"a\" } ] }", "line 1 is not as it was written")]
    [InlineData("{ \"added\": [ { \"name\": \"a..b\", \"file\": \"/f\" } ] }",
        "it is not of version 1, or holds no zones")]
    [InlineData("{ \"added\": [ { \"name\": \"a\", \"file\": \"f\" } ] }", "it is not of version 1, or holds no zones")]
    [InlineData("{ \"removed\": [ \"a..b\" ] }", "it is not of version 1, or holds no zones")]
    [InlineData("{\n\"removed\": 1 }", "line 2 is not as it was written")]
    public void A_damaged_file_is_told_and_never_replaced(string text, string fault)
    {
        string file = _folder.Write("state/zones.json", text);
        var (sources, told) = Started();
        Assert.StartsWith(fault, told);
        Assert.StartsWith($"{file}: {fault}",
            Assert.Throws<IOException>(() => sources.Add(Zone("a.example", Text("a")))).Message);
        Assert.Equal(text, File.ReadAllText(file));
        Assert.False(sources.IsAdded(Zone("a.example", Text("a"))));
    }

    [Fact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void The_file_is_for_its_owner_and_a_link_is_neither_followed_nor_replaced()
    {
        const UnixFileMode owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        KeptZonesFile kept = new(State);
        kept.Change(zones => zones.WithAdded(Zone("a.example", Text("a"))));
        Assert.Equal(owner | UnixFileMode.UserExecute, File.GetUnixFileMode(State));
        Assert.Equal(owner, File.GetUnixFileMode(kept.Path));
        string other = Path.Combine(_folder.Root, "other"), text = File.ReadAllText(kept.Path);
        File.Move(kept.Path, other);
        File.CreateSymbolicLink(kept.Path, other);
        Assert.False(kept.TryRead(out _, out string? fault));
        Assert.StartsWith("it is a symlink", fault);
        Assert.Throws<IOException>(() => kept.Change(zones => zones.WithAdded(Zone("b.example", Text("b")))));
        Assert.Equal(text, File.ReadAllText(other));
        Assert.Equal([kept.Path], Directory.GetFileSystemEntries(State));
        Assert.Equal(other, new FileInfo(kept.Path).LinkTarget);
    }

    [Fact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void What_everybody_may_write_is_no_list_of_zones()
    {
        KeptZonesFile kept = new(State);
        kept.Change(zones => zones.WithAdded(Zone("a.example", Text("a"))));
        File.SetUnixFileMode(kept.Path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherWrite);
        Assert.False(kept.TryRead(out _, out string? fault));
        Assert.Contains("all users may write to it", fault);
    }

    [Fact]
    public void Two_servers_with_one_directory_do_not_undo_each_other()
    {
        ConfiguredZones first = Started().Sources, second = Started().Sources;
        first.Add(Zone("a.example", Text("a")));
        second.Add(Zone("b.example", Text("b")));
        Assert.Equal(["a.example. a", "b.example. b"], Files(Started().Sources.Expand([])));
    }

    [Fact]
    public void A_server_that_takes_over_follows_what_the_one_before_added_and_removed()
    {
        ZoneOptions[] settings = [Setting("s.example", "s"), Setting("t.example", "t")];
        ConfiguredZones first = Started().Sources;
        first.Expand(settings);
        first.Add(Zone("gone.example", Text("g")));
        first.Remove(Zone("t.example", Text("t")));
        ConfiguredZones second = Started().Sources;
        second.Expand(settings);
        Assert.False(second.CatchUp());
        first.Add(Zone("a.example", Text("a")));
        Assert.True(second.CatchUp());
        Assert.False(second.CatchUp());
        first.Remove(Zone("gone.example", Text("g")));
        Assert.True(second.CatchUp());
        first.Add(Zone("a.example", Text("a2")));
        Assert.True(second.CatchUp());
        first.Restore(DomainName.Parse("t.example"));
        first.Remove(Zone("s.example", Text("s")));
        Assert.True(second.CatchUp());
        Assert.Equal(["a.example. a2", "t.example. t"], Files(second.Expand(settings)));
        Assert.Equal(Text("s"), second.RemovedFile(DomainName.Parse("s.example"))?.Path);
        File.WriteAllText(Path.Combine(State, "zones.json"), "{");
        Assert.False(second.CatchUp());
        Assert.Equal(["a.example. a2", "t.example. t"], Files(second.Expand(settings)));
    }

    [Fact]
    public void The_directory_is_that_of_the_settings_the_service_manager_the_service_or_beside_the_settings()
    {
        SettingsPaths paths = new(Text("here/dnsd.json"), "/etc/dnsd/dnsd.json", Text("program/dnsd.json"));
        string file = _folder.Write("here/dnsd.json", """{ "Dns": { } }""");
        SettingsArguments arguments = new() { Paths = paths };
        Assert.Equal(Text(Path.Combine("here", "dnsd.state")), DirectoryOf(arguments));
        Assert.Equal("/var/lib/x", DirectoryOf(arguments, "/var/lib/x:/var/lib/y"));
        Assert.Null(DirectoryOf(arguments with { Zones = ["a.example=f"] }, "/var/lib/x"));
        Assert.Null(DirectoryOf(
            arguments with { ConfigFile = _folder.Write("program/dnsd.json", """{ "Dns": { } }""") }, "/var/lib/x"));
        Settings installed = SettingsReader.Read(arguments, new Hashtable()) with { File = paths.Installed };
        Assert.Equal("/var/lib/dnsd", StateDirectory.Of(arguments, installed, new Hashtable()));
        File.WriteAllText(file, """{ "Dns": { "StateDirectory": "mine" } }""");
        Assert.Equal(Text(Path.Combine("here", "mine")), DirectoryOf(arguments, "/var/lib/x"));
        File.WriteAllText(file, """{ "Dns": { "StateDirectory": null } }""");
        Assert.Null(DirectoryOf(arguments, "/var/lib/x"));
    }

    [Fact]
    public void What_is_no_directory_is_a_problem_and_null_may_come_from_anywhere()
    {
        Assert.Equal(
            ["dnsd.json:1:12: error: Dns:StateDirectory is 5: expected the path of a directory, auto, or null"],
            _folder.Problems("""{ "Dns": { "StateDirectory": 5 } }"""));
        Assert.Null(_folder.Options("{ }", null, ("Dns__StateDirectory", "null")).StateDirectory);
        Assert.Equal(StateDirectory.Automatic, _folder.Options("""{ "StateDirectory": "AUTO" }""").StateDirectory);
        Assert.Equal(Text("x"), _folder.Options("{ }", new() { Overrides = ["Dns:StateDirectory=x"] }).StateDirectory);
    }

    private static string? DirectoryOf(SettingsArguments arguments, string? given = null)
    {
        Hashtable environment = [];
        if (given is not null) environment["STATE_DIRECTORY"] = given;
        Settings settings = SettingsReader.Read(arguments, environment);
        Assert.Empty(settings.Problems);
        return StateDirectory.Of(arguments, settings, environment);
    }
}
