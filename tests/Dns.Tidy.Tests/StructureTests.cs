using System.Text.RegularExpressions;
using System.Xml.Linq;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>What keeps parts apart and small: friends, reasons as values, the size of types in several files.</summary>
public partial class StructureTests
{
    private const int MostFriends = 5;
    private const int PartialLines = 600;

    /// <summary>The parts whose reasons are values: text is made at the edge.</summary>
    private static readonly string[] Domain =
    [
        "src/Dns.Protocol/", "src/Dns.Zones/", "src/Dns.Answering/", "src/Dns.Dnssec/", "src/Dns.Forwarding/",
        "src/Dns.Replication/", "src/Dns.Providers/", "src/Dns.Transport/", "src/Dns.Transport.Outgoing/",
        "src/Dns.Transport.Streams/",
    ];

    [Fact]
    public void Few_product_projects_see_the_internals_of_others()
    {
        (string Grant, string? Reason)[] friends = [.. Friends()];
        string[] grants = [.. friends.Select(friend => friend.Grant)];
        Assert.True(grants.Length <= MostFriends, string.Join('\n', grants));
        Diagnostics.None(
            from friend in friends where string.IsNullOrWhiteSpace(friend.Reason) select friend.Grant,
            "a grant needs its reason in a comment before it");
    }

    [Fact]
    public void Each_public_type_says_what_it_is() =>
        Diagnostics.None(
            from file in Repository.Under("src/")
            from Match type in UndocumentedType().Matches(file.Text)
            select $"{file.Path}:{file.LineAt(type.Groups[1].Index)}: {type.Groups[1].Value}",
            "a public type without a summary");

    [Fact]
    public void No_part_but_the_server_sees_all_others()
    {
        string[] parts = [.. Repository.Files
            .Where(path => path.StartsWith("src/", StringComparison.Ordinal) && path.EndsWith(".csproj"))
            .Select(path => Path.GetFileNameWithoutExtension(path))];
        Diagnostics.None(
            from part in parts
            where part != "Dns.Server"
            where parts.Except(Seen(part)).All(other => other == part || other == "Dns.Server")
            select part,
            "a part sees all others");
    }

    [Fact]
    public void A_reason_is_a_value_in_the_domain() =>
        Diagnostics.None(
            from file in Repository.Under(Domain)
            where OutString().IsMatch(file.Code)
            select $"{file.Path}: \"out string\"",
            "a reason is an enum or a record; text is made where it is shown");

    [Fact]
    public void A_type_of_several_files_stays_below_600_lines() =>
        Diagnostics.None(
            from file in Repository.Under("src/")
            let type = PartialType().Match(file.Code)
            where type.Success
            group file.LineCount by $"{file.Path.Split('/')[1]}.{type.Groups[1].Value}" into parts
            where parts.Sum() > PartialLines
            select $"{parts.Key}: {parts.Sum()} lines",
            $"longer than {PartialLines} lines in all");

    [Fact]
    public void A_text_and_a_type_of_several_files_are_found()
    {
        Assert.Equal(2, OutString().Count("bool A(out string why) => B(out  string? x);"));
        Assert.Matches(UndocumentedType(), "\n\npublic sealed class C");
        Assert.DoesNotMatch(UndocumentedType(), "/// <summary>A.</summary>\n[X(1)]\npublic sealed class C");
        Assert.Equal("C", PartialType().Match("using X;\ninternal sealed partial class C(int a)\n{").Groups[1].Value);
    }

    /// <summary>Grants to product projects, each with the comment before it.</summary>
    private static IEnumerable<(string Grant, string? Reason)> Friends() =>
        from path in Repository.Files
        where path.StartsWith("src/", StringComparison.Ordinal) && path.EndsWith(".csproj", StringComparison.Ordinal)
        from friend in Document(path).Descendants("InternalsVisibleTo")
        let name = friend.Attribute("Include")!.Value
        where !name.EndsWith(".Tests", StringComparison.Ordinal) && !name.StartsWith("Dns.Testing")
        let before = friend.NodesBeforeSelf().LastOrDefault(node => node is not XText)
        select ($"{path}: {name}", (before as XComment)?.Value);

    private static HashSet<string> Seen(string part)
    {
        HashSet<string> seen = [];
        Stack<string> waiting = new([part]);
        while (waiting.TryPop(out string? next))
            foreach (XElement reference in Document($"src/{next}/{next}.csproj").Descendants("ProjectReference"))
            {
                string name = Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value);
                if (seen.Add(name)) waiting.Push(name);
            }
        return seen;
    }

    private static XDocument Document(string project) => XDocument.Parse(Repository.Read(project));

    [GeneratedRegex(
        @"(?<!^///[^\n]*\n(?:[\[ ][^\n]*\n)*)^(public [^\n=;(]*\b(?:class|record|struct|interface|enum)\b[^\n]*)",
        RegexOptions.Multiline)]
    private static partial Regex UndocumentedType();

    [GeneratedRegex(@"\bout\s+string\b")]
    private static partial Regex OutString();

    [GeneratedRegex(
        @"^(?:public|internal)\b[^\n(]*\bpartial\s+(?:class|record\s+struct|record|struct)\s+(\w+)",
        RegexOptions.Multiline)]
    private static partial Regex PartialType();
}
