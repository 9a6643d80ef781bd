namespace Dns.Server.Tests.Hosting;

/// <summary>A file that the server writes is nothing else: the first line of a log would destroy a zone file.</summary>
public sealed class FileClashesTests : IDisposable
{
    private const string Zone = "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\n";

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string[] Find(string dns, string serilog = "{ }")
    {
        Settings settings = _folder.Read($$"""{ "Dns": {{dns}}, "Serilog": {{serilog}} }""");
        Assert.Empty(settings.Problems);
        return [.. FileClashes.Find(settings, ZoneExpansion.Of(settings.Options.Zones))
            .Select(problem => problem.ToString().Replace(_folder.Root + Path.DirectorySeparatorChar, ""))];
    }

    [Theory]
    [InlineData("""{ "QueryLog": { "File": "z.zone" }, "Zones": [ { "Name": "a.example", "File": "z.zone" } ] }""",
        "dnsd.json:1:26: error: Dns:QueryLog:File is \"z.zone\", which is Dns:Zones:0:File as well: expected a file of "
            + "its own")]
    [InlineData("""{ "Cache": { "File": "zones/./c.zone" }, "Zones": [ { "Directory": "zones" } ] }""",
        "dnsd.json:1:23: error: Dns:Cache:File is \"zones/c.zone\", which is a zone file of Dns:Zones:0:Directory: "
            + "expected a file of its own")]
    [InlineData("""{ "QueryLog": { "File": "x" }, "Dnstap": { "File": "x" } }""",
        "dnsd.json:1:53: error: Dns:Dnstap:File is \"x\", which is Dns:QueryLog:File as well: expected a file of its "
            + "own")]
    [InlineData("""{ "Dnstap": { "File": "dnsd.json" } }""",
        "dnsd.json:1:24: error: Dns:Dnstap:File is \"dnsd.json\", which is the settings file: expected a file of "
            + "its own")]
    [InlineData("""{ "Control": { "Socket": "s" }, "Dnstap": { "Socket": "s" } }""",
        "dnsd.json:1:25: error: Dns:Control:Socket is \"s\", which is Dns:Dnstap:Socket as well: expected a file of "
            + "its own")]
    [InlineData("""{ "QueryLog": { "File": "k" }, "TsigKeys": [ { "Name": "k.", "SecretFile": "k" } ] }""",
        "dnsd.json:1:26: error: Dns:QueryLog:File is \"k\", which is Dns:TsigKeys:0:SecretFile as well: expected a "
            + "file of its own")]
    public void A_file_that_is_written_and_something_else_is_refused(string dns, string expected)
    {
        _folder.Write("k", "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IQ==");
        _folder.Write("zones/a.example.zone", Zone);
        Assert.Equal(expected, Assert.Single(Find(dns)).Replace('\\', '/'));
    }

    [Theory]
    [InlineData("""{ "QueryLog": { "File": "zones/q.log" }, "Zones": [ { "Directory": "zones" } ] }""")]
    [InlineData("""{ "QueryLog": { "File": "q" }, "Dnstap": { "File": "t" }, "Cache": { "File": "c" } }""")]
    [InlineData("""{ "QueryLog": { "File": "/dev/stdout" }, "Dnstap": { "File": "/dev/stdout" } }""")]
    [InlineData("""{ "Zones": [ { "Directory": "zones" }, { "Name": "b.example", "File": "zones/b" } ] }""")]
    public void Files_of_their_own_are_accepted(string dns)
    {
        if (OperatingSystem.IsWindows() && dns.Contains("/dev/")) return;
        _folder.Write("zones/a.example.zone", Zone);
        Assert.Empty(Find(dns));
    }

    [Fact]
    public void A_sink_of_the_log_is_compared_with_other_files_and_not_with_other_sinks()
    {
        const string sink = """{ "Name": "File", "Args": { "path": "x", "shared": true } }""";
        Assert.Empty(Find("{ }", $$"""{ "WriteTo": [ {{sink}}, {{sink}} ] }"""));
        Assert.Contains(": error: Serilog:WriteTo:0:Args:path is \"x\", which is Dns:QueryLog:File as well: ",
            Assert.Single(Find("""{ "QueryLog": { "File": "x" } }""", $$"""{ "WriteTo": [ {{sink}} ] }""")));
    }

    [Fact]
    public void The_file_of_added_zones_is_not_written_by_anything_else()
    {
        Settings settings = _folder.Read("""{ "Dns": { "QueryLog": { "File": "s/zones.json" } } }""");
        string state = Path.Combine(_folder.Root, "s", "zones.json");
        ZoneExpansion none = ZoneExpansion.Of([]);
        Assert.Contains("which is where zones that commands add are kept",
            Assert.Single(FileClashes.Find(settings, none, state)).ToString());
        Assert.Empty(FileClashes.Find(settings, none, state + "2"));
    }

    [Fact]
    public void Symlinks_of_directories_do_not_hide_a_zone_file()
    {
        if (OperatingSystem.IsWindows()) Assert.Skip("symlinks need a right");
        _folder.Write("zones/a.example.zone", Zone);
        Directory.CreateSymbolicLink(Path.Combine(_folder.Root, "link"), Path.Combine(_folder.Root, "zones"));
        Assert.Contains("link/a.example.zone\", which is a zone file of Dns:Zones:0:Directory", Assert.Single(Find(
            """{ "QueryLog": { "File": "link/a.example.zone" }, "Zones": [ { "Directory": "zones" } ] }""")));
    }

    [Fact]
    public async Task A_start_and_a_check_refuse_a_query_log_over_a_zone_file()
    {
        string zone = _folder.Write("z.zone", Zone), file = _folder.Write("dnsd.json", """
            { "Dns": { "Listen": ["127.0.0.1:0"], "QueryLog": { "File": "z.zone" },
                "Zones": [ { "Name": "a.example", "File": "z.zone" } ] } }
            """);
        foreach (string command in (string[])["check", "run"])
        {
            StringWriter output = new(), errors = new();
            Assert.Equal(ExitCode.Bad, await DnsdCommand.InvokeAsync([command, "--config", file], output, errors));
            Assert.Equal($"{file}:1:53: error: Dns:QueryLog:File is \"{zone}\", which is Dns:Zones:0:File as well: "
                + "expected a file of its own", errors.ToString().TrimEnd());
        }
        Assert.Equal(Zone, File.ReadAllText(zone));
    }
}
