using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>Names are the RFC's nouns, not patterns or comparisons with previous code.</summary>
public partial class NamingTests
{
    private static readonly string[] Banned =
        ["Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Utilities", "Smart", "Optimized",
            "Legacy", "New"];

    [Fact]
    public void No_type_has_an_empty_word_in_its_name() =>
        Diagnostics.None(
            from file in Repository.Under("src/", "tests/", "dnsbench/")
            from Match match in TypeName().Matches(file.Code)
            where Words(match.Groups[1].Value).Any(Banned.Contains)
            select $"{file.Path}:{file.LineAt(match.Index)}: {match.Groups[1].Value}",
            "use the RFC's noun");

    [Fact]
    public void A_file_declares_the_type_it_is_named_after() =>
        Diagnostics.None(
            from file in Repository.Under("src/")
            let types = TypeName().Matches(file.Code).Select(match => match.Groups[1].Value).ToList()
            let name = Path.GetFileName(file.Path).Split('.')[0]
            where types.Count > 0 && !types.Contains(name) && name is not ("Program" or "AssemblyInfo")
            select $"{file.Path}:1: declares {string.Join(", ", types)}",
            "name the file after its primary type");

    [Fact]
    public void A_namespace_is_the_path_of_its_folder() =>
        Diagnostics.None(
            from file in Repository.Under("src/")
            from Match match in NamespaceName().Matches(file.Code)
            let folder = string.Join('.', file.Path.Split('/')[1..^1])
            where match.Groups[1].Value != folder
            select $"{file.Path}:{file.LineAt(match.Index)}: {match.Groups[1].Value}, expected {folder}",
            "folders are namespaces");

    [Fact]
    public void Words_of_a_name_are_told_apart()
    {
        Assert.Equal(["Zone", "Manager"], Words("ZoneManager"));
        Assert.Equal(["New", "Zone"], Words("NewZone"));
        Assert.Equal(["Renewal"], Words("Renewal"));
    }

    private static IEnumerable<string> Words(string name) => Word().Matches(name).Select(match => match.Value);

    [GeneratedRegex(
        @"\b(?:class|struct|interface|enum|record(?:\s+(?:class|struct))?|delegate\s+[\w<>\[\]?]+)\s+(?!class\b|struct\b)([A-Z]\w*)")]
    private static partial Regex TypeName();

    [GeneratedRegex(@"^\s*namespace\s+([\w.]+)", RegexOptions.Multiline)]
    private static partial Regex NamespaceName();

    [GeneratedRegex(@"[A-Z]+(?![a-z])|[A-Z][a-z]*")]
    private static partial Regex Word();
}
