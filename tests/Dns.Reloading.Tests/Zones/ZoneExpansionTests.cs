namespace Dns.Reloading.Tests;

public sealed class ZoneExpansionTests : IDisposable
{
    private static readonly SettingLocation Location = new("f", 1, 1);
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private ZoneOptions Directory(string name = "", string pattern = "*.zone") =>
        new(Location, null, Path.Combine(_folder.Root, name), pattern);

    private ZoneOptions Zone(string name, string file) =>
        new(Location, DomainName.Parse(name), Path.Combine(_folder.Root, file));

    [Fact]
    public void A_directory_stands_for_its_zone_files()
    {
        _folder.Write("b.example.zone", "");
        _folder.Write("a.example.zone", "");
        _folder.Write("readme.txt", "");
        ZoneExpansion zones = ZoneExpansion.Of([Directory()]);
        Assert.Equal(["a.example.", "b.example."], zones.Files.Select(file => file.Zone.ToString()));
        Assert.Empty(zones.Problems);
    }

    [Fact]
    public void The_clients_of_an_entry_are_those_of_each_of_its_zones()
    {
        _folder.Write("a.example.zone", "");
        _folder.Write("b.example.zone", "");
        ServerOptions options = _folder.Options("""
            { "Zones": [ { "Directory": ".", "AllowQuery": [ "192.0.2.0/24" ] },
                         { "Name": "a.example", "File": "a.example.zone", "AllowQuery": [] },
                         { "Name": "c.example", "File": "c" } ] }
            """);
        ZoneExpansion zones = ZoneExpansion.Of(options.Zones);
        ClientAddress client = ClientAddress.From(System.Net.IPEndPoint.Parse("192.0.2.1:1"));
        Assert.Equal(
            ["a.example. False", "b.example. True", "c.example. "],
            zones.Files.OrderBy(file => file.Zone.ToString())
                .Select(file => $"{file.Zone} {file.AllowQuery?.Contains(ref client)}"));
    }

    [Theory]
    [InlineData("\"192.0.2.0/24\"", "Dns:Zones:0:AllowQuery is \"192.0.2.0/24\": expected a list of networks")]
    [InlineData("[ \"192.0.2.1/24\" ]", "Dns:Zones:0:AllowQuery:0 is \"192.0.2.1/24\": expected a network")]
    [InlineData("[ 5 ]", "Dns:Zones:0:AllowQuery:0 is 5: expected a network")]
    public void Clients_that_are_no_networks_are_a_problem(string clients, string problem) =>
        Assert.Contains(problem, Assert.Single(_folder.Problems(
            $$"""{ "Dns": { "Zones": [ { "Name": "a", "File": "a", "AllowQuery": {{clients}} } ] } }""")));

    [Fact]
    public void A_zone_that_was_removed_and_is_added_again_keeps_its_clients()
    {
        ConfiguredZones sources = new(TimeProvider.System);
        ZoneFile file = ZoneFile.At(DomainName.Parse("a.example"), "/other");
        ClientNetworks clients = new([]), changed = new([]);
        sources.Remove(file with { AllowQuery = clients });
        Assert.Same(clients, sources.ForItsClients(file).AllowQuery);
        // The settings have changed meanwhile.
        sources.Remove(file with { AllowQuery = clients });
        Assert.Empty(sources.Expand([Zone("a.example", "a") with { AllowQuery = changed }]).Files);
        Assert.Same(changed, sources.ForItsClients(file).AllowQuery);
        sources.Add(file);
        Assert.Null(sources.ForItsClients(file).AllowQuery);
        Assert.Null(sources.ForItsClients(file with { Zone = DomainName.Parse("b.example") }).AllowQuery);
    }

    [Fact]
    public void A_missing_zone_directory_is_a_problem()
    {
        string path = Path.Combine(_folder.Root, "none");
        Assert.Equal(
            $"f:1:1: error: cannot read the zone directory {path}: it does not exist",
            Assert.Single(ZoneExpansion.Of([Directory("none")]).Problems).ToString());
    }

    [Fact]
    public void A_file_is_not_a_zone_directory()
    {
        _folder.Write("x", "");
        Assert.EndsWith("x: it is a file", Assert.Single(ZoneExpansion.Of([Directory("x")]).Problems).ToString());
    }

    [Fact]
    public void A_missing_zone_file_is_for_the_loader_to_find() =>
        Assert.Single(ZoneExpansion.Of([Zone("a.example", "none")]).Files);

    [Fact]
    public void The_same_file_given_by_name_and_by_directory_is_one_zone()
    {
        _folder.Write("a.example.zone", "");
        ZoneExpansion zones = ZoneExpansion.Of([Directory(), Zone("A.example", "a.example.zone")]);
        Assert.Single(zones.Files);
        Assert.Empty(zones.Problems);
    }

    [Fact]
    public void Two_files_named_for_one_zone_are_a_problem_that_names_both()
    {
        ZoneExpansion zones = ZoneExpansion.Of([Zone("a.example", "one"), Zone("A.example", "other")]);
        string message = Assert.Single(zones.Problems).Message;
        Assert.StartsWith("zone A.example. is given twice, by ", message);
        Assert.Contains("one", message);
        Assert.Contains("other", message);
    }

    [Fact]
    public void A_file_in_a_directory_gives_way_to_one_that_is_named()
    {
        _folder.Write("a.example.zone", "");
        ZoneExpansion zones = ZoneExpansion.Of([Directory(), Zone("a.example", "other")]);
        Assert.Equal("other", Assert.Single(zones.Files).FileName);
        Assert.Empty(zones.Problems);
        Assert.EndsWith("other", Assert.Single(zones.Conflicts));
        Assert.Contains("a.example.zone is not served: zone a.example. is that of", zones.Conflicts[0]);
    }

    [Fact]
    public void Of_two_files_whose_names_differ_in_case_only_the_first_is_served_and_the_other_told()
    {
        _folder.Write("a.example.zone", "");
        _folder.Write("A.EXAMPLE.zone", "");
        _folder.Write("b.example.zone", "");
        ZoneExpansion zones = ZoneExpansion.Of([Directory()]);
        Assert.Equal(["A.EXAMPLE.zone", "b.example.zone"], zones.Files.Select(file => file.FileName));
        Assert.Empty(zones.Problems);
        Assert.Contains("a.example.zone is not served: zone a.example. is that of", Assert.Single(zones.Conflicts));
    }

    [Fact]
    public void A_file_that_is_not_named_after_a_zone_does_not_hide_the_others()
    {
        _folder.Write("a..b.zone", "");
        _folder.Write("c.zone", "");
        ZoneExpansion zones = ZoneExpansion.Of([Directory()]);
        Assert.Equal("c.", Assert.Single(zones.Files).Zone.ToString());
        Assert.Contains("a..b.zone: \"a..b\" is not the name of a zone", Assert.Single(zones.Unnamed));
    }

    [Fact]
    public void A_directory_in_which_nothing_matches_is_a_warning_with_its_setting()
    {
        _folder.Write("sub/readme.txt", "");
        ServerOptions options = _folder.Options(
            """{ "Zones": [ { "Name": "a", "File": "a" }, { "Directory": "sub", "Pattern": "*.zones" } ] }""");
        ZoneExpansion zones = ZoneExpansion.Of(options.Zones);
        Assert.Empty(zones.Problems);
        string warning = Assert.Single(zones.Empty);
        Assert.EndsWith(
            $": warning: Dns:Zones:1: no file in the directory {options.Zones[1].Path} matches the pattern *.zones",
            warning);
        Assert.Contains("dnsd.json:1:", warning);
    }

    [Fact]
    public void A_directory_whose_files_are_known_or_misnamed_is_not_empty()
    {
        _folder.Write("known/a.zone", "");
        _folder.Write("misnamed/a..b.zone", "");
        Assert
            .Empty(ZoneExpansion.Of([Directory("known"), Directory("misnamed")], (_, name) => name is "a.zone").Empty);
    }

    [Fact]
    public void A_file_in_a_directory_gives_way_to_the_secondary_of_its_name()
    {
        _folder.Write("d/b.example.zone", "");
        ZoneExpansion zones = ZoneExpansion.Of(_folder.Options("""
            { "Zones": [ { "Directory": "d" }, { "Name": "b.example", "Type": "secondary", "Primaries": [ "192.0.2.1" ] } ] }
            """).Zones);
        Assert.Empty(zones.Files);
        Assert.EndsWith("b.example.zone is not served: the settings have zone b.example. by its name",
            Assert.Single(zones.Conflicts));
    }
}
