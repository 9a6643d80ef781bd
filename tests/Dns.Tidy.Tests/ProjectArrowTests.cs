using System.Xml.Linq;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>The map of docs/explanation/architecture.md: which project may see which.</summary>
public class ProjectArrowTests
{
    private static readonly Dictionary<string, string[]> MaySee = new()
    {
        ["Dns.Protocol"] = [],
        ["Dns.Zones"] = ["Dns.Files", "Dns.Protocol"],
        ["Dns.Transport.Streams"] = ["Dns.Protocol"],
        ["Dns.Transport"] = ["Dns.Protocol", "Dns.Transport.Streams"],
        ["Dns.Transport.Outgoing"] = ["Dns.Protocol", "Dns.Transport.Streams"],
        ["Dns.Forwarding"] = ["Dns.Protocol", "Dns.Transport.Outgoing"],
        ["Dns.Dnssec"] = ["Dns.Zones"],
        ["Dns.Answering"] = ["Dns.Zones"],
        ["Dns.Replication"] = ["Dns.Zones", "Dns.Transport.Outgoing"],
        ["Dns.Providers"] = ["Dns.Zones"],
        ["Dns.Configuration"] = ["Dns.Dnssec", "Dns.Replication", "Dns.Transport"],
        ["Dns.Files"] = [],
        ["Dns.Hosting"] = [],
        ["Dns.Telemetry"] = ["Dns.Answering", "Dns.Configuration", "Dns.Forwarding", "Dns.Hosting"],
        ["Dns.Import"] = ["Dns.Answering", "Dns.Configuration", "Dns.Forwarding", "Dns.Providers"],
        ["Dns.Client"] = ["Dns.Configuration"],
        ["Dns.Management"] = ["Dns.Client", "Dns.Telemetry"],
        ["Dns.Reloading"] = ["Dns.Management", "Dns.Providers"],
        ["Dns.Features"] = ["Dns.Reloading"],
        ["Dns.Commands"] = ["Dns.Import", "Dns.Management"],
    };

    private static IEnumerable<string> Projects =>
        Repository.Files.Where(path => path.EndsWith(".csproj", StringComparison.Ordinal));

    [Fact]
    public void A_project_sees_only_what_the_map_allows() =>
        Diagnostics.None(
            from project in Projects
            where project.StartsWith("src/", StringComparison.Ordinal)
            let name = Path.GetFileNameWithoutExtension(project)
            where name != "Dns.Server"
            from seen in References(project)
            where !MaySee.TryGetValue(name, out string[]? allowed) || !allowed.Contains(seen)
            select $"{project}: {name} -> {seen}",
            "an arrow that the map of the solution does not have");

    [Fact]
    public void Nothing_but_tests_and_dnsbench_sees_the_server() =>
        Diagnostics.None(
            from project in Projects
            where project.StartsWith("src/", StringComparison.Ordinal)
            where References(project).Contains("Dns.Server")
            select project,
            "the server is seen by a part");

    [Fact]
    public void The_protocol_uses_no_package() =>
        Diagnostics.None(
            Document("src/Dns.Protocol/Dns.Protocol.csproj").Descendants("PackageReference").Select(x => x.ToString()),
            "Dns.Protocol takes no packages");

    [Fact]
    public void Package_versions_are_stated_in_one_place() =>
        Diagnostics.None(
            from project in Projects
            from reference in Document(project).Descendants("PackageReference")
            where reference.Attribute("Version") is not null
            select $"{project}: {reference.Attribute("Include")?.Value}",
            "versions belong into Directory.Packages.props");

    [Fact]
    public void Every_project_is_in_the_solution()
    {
        string solution = Repository.Read("Dns.sln").Replace('\\', '/');
        Diagnostics.None(Projects.Where(project => !solution.Contains($"\"{project}\"")), "not in Dns.sln");
    }

    [Fact]
    public void Every_part_with_code_has_a_readme() =>
        Diagnostics.None(
            from file in Repository.Under("src/")
            let folder = string.Join('/', file.Path.Split('/').Take(2))
            where !Repository.Exists(folder + "/README.md")
            group file by folder into part
            select part.Key,
            "a part needs a README.md: the question it answers, its law, the order to read it in");

    [Fact]
    public void Every_part_has_tests_in_a_project_or_a_folder_of_its_name() =>
        Diagnostics.None(
            from project in Projects
            where project.StartsWith("src/", StringComparison.Ordinal)
            let part = Path.GetFileNameWithoutExtension(project)
            where !Repository.Under("tests/").Any(file => IsTestOf(part, file.Path))
            select part,
            "a part needs tests/PART.Tests, or a folder of its last name in the test project of another part");

    [Theory]
    [InlineData("Dns.Zones", "tests/Dns.Zones.Tests/Lookup/AtlasTests.cs", true)]
    [InlineData("Dns.Files", "tests/Dns.Telemetry.Tests/Files/ExclusiveFileTests.cs", true)]
    [InlineData("Dns.Files", "tests/Dns.Telemetry.Tests/Files/Sample.cs", false)]
    [InlineData("Dns.Files", "tests/Dns.Telemetry.Tests/RecordFileTests.cs", false)]
    [InlineData("Dns.Files", "tests/Dns.Testing/Files/FileTests.cs", false)]
    [InlineData("Dns.Transport.Outgoing", "tests/Dns.Transport.Tests/Outgoing/StreamClientTests.cs", true)]
    public void A_test_belongs_to_the_part_of_its_project_or_its_folder(string part, string path, bool expected) =>
        Assert.Equal(expected, IsTestOf(part, path));

    private static bool IsTestOf(string part, string path) =>
        path.Split('/') is ["tests", var project, .. var below]
        && below[^1].EndsWith("Tests.cs", StringComparison.Ordinal)
        && project.EndsWith(".Tests", StringComparison.Ordinal)
        && (project == part + ".Tests" || below.Length > 1 && below[0] == part.Split('.')[^1]);

    private static IEnumerable<string> References(string project) =>
        from reference in Document(project).Descendants("ProjectReference")
        select Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value.Replace('\\', '/'));

    private static XDocument Document(string project) => XDocument.Parse(Repository.Read(project));
}
