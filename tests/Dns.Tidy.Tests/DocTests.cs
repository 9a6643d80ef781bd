using System.Globalization;
using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>The pages tell the truth: links lead somewhere, tables are complete, every test they name exists.</summary>
public partial class DocTests
{
    private const string Conformance = "docs/reference/conformance.md";
    private const string Security = "docs/reference/security.md";
    private static readonly string[] States = ["done", "open", "not built", "declined"];

    private static IEnumerable<string> Pages =>
        Repository.Files.Where(path => path.EndsWith(".md", StringComparison.Ordinal));

    private static IEnumerable<DocRow> Rows(string heading) =>
        DocRow.Read(Conformance).Concat(DocRow.Read(Security))
            .Where(row => row.Cells.Length > 2 && Regex.IsMatch(row.Cells[0], heading));

    [Fact]
    public void Every_link_leads_to_a_file_and_a_heading() =>
        Diagnostics.None(
            from page in Pages
            let text = Repository.Read(page)
            from Match link in Link().Matches(text)
            let target = link.Groups[1].Value
            where !target.Contains("://") && !target.StartsWith("mailto:", StringComparison.Ordinal)
            where !Leads(page, target)
            select $"{page}:{text.AsSpan(0, link.Index).Count('\n') + 1}: {target}",
            "a dead link");

    [Fact]
    public void Every_path_that_a_page_names_exists() =>
        Diagnostics.None(
            from page in Pages
            let text = Repository.Read(page)
            from Match path in PathName().Matches(text)
            where !Repository.Exists(path.Groups[1].Value)
            select $"{page}:{text.AsSpan(0, path.Index).Count('\n') + 1}: {path.Groups[1].Value}",
            "a path that is not there");

    [Fact]
    public void Every_type_of_record_has_a_row() =>
        Diagnostics.None(MissingRows("src/Dns.Protocol/Messages/RRType.cs", "RRType"), $"no row in {Conformance}");

    [Fact]
    public void Every_edns_option_has_a_row() =>
        Diagnostics.None(MissingRows("src/Dns.Protocol/Edns/EdnsOptionCode.cs", "EdnsOptionCode"),
            $"no row in {Conformance}");

    [Fact]
    public void The_numbered_lines_are_whole_and_unique()
    {
        int[] numbers = [.. Rows(@"^\d+$").Where(IsRequirement)
            .Select(row => int.Parse(row.Cells[0], CultureInfo.InvariantCulture))];
        Diagnostics.None(
            Enumerable.Range(1, 117).Except(numbers).Select(n => $"{n} is missing")
                .Concat(numbers.GroupBy(n => n).Where(g => g.Count() > 1)
                    .Select(g => $"{g.Key} is there {g.Count()} times")),
            $"the lines of {Conformance}");
    }

    [Fact]
    public void No_threat_has_the_number_of_another() =>
        Diagnostics.None(
            from row in Rows(@"^S\d+$").GroupBy(row => row.Cells[0])
            where row.Count() > 1
            select $"{Security}: {row.Key} is there {row.Count()} times",
            "numbers are unique");

    [Fact]
    public void A_done_line_names_its_test_and_an_open_one_none() =>
        Diagnostics.None(
            from row in Rows(@"^(S?\d+|[A-Za-z0-9]+)$").Where(IsRequirement)
            let tests = TestsIn(row).Any()
            let state = row.Cells[^2]
            where !States.Contains(state) || tests != (state == "done")
            select $"{row.Path}:{row.Line}: {row.Cells[0]} is '{state}' {(tests ? "with" : "without")} a test",
            $"a state is one of {string.Join(", ", States)}; only 'done' names tests");

    [Fact]
    public void Every_test_that_a_page_names_exists()
    {
        HashSet<string> tests = [.. from file in Repository.Under("tests/")
                                    from Match match in TestMethod().Matches(file.Code)
                                    select match.Groups[1].Value];
        Diagnostics.None(
            from page in new[] { Conformance, Security }
            from row in DocRow.Read(page)
            from test in TestsIn(row)
            where !tests.Contains(test)
            select $"{page}:{row.Line}: {test}",
            "no such test");
    }

    [Fact]
    public void Tables_and_headings_are_read()
    {
        DocRow[] rows = [.. DocRow.Read("a.md", "text\n| a | b |\n| --- | --- |\n| 1 | `x \\| y` |\n")];
        Assert.Equal([2, 4], rows.Select(row => row.Line));
        Assert.Equal(["1", "`x \\| y`"], rows[1].Cells);
        Assert.Equal("what-it-is-a-to-b", Anchor("What it is: a `to` b"));
        Assert.Equal(["A_b_c"], TestsIn(rows[0] with { Cells = ["1", "done", "`A_b_c`"] }));
    }

    /// <summary>Rows of requirements end with the columns status and test.</summary>
    private static bool IsRequirement(DocRow row) => row.Cells.Length >= 4 && row.Cells[^2] != "status";

    private static IEnumerable<string> TestsIn(DocRow row) =>
        TestName().Matches(row.Cells[^1]).Select(match => match.Groups[1].Value);

    private static IEnumerable<string> MissingRows(string source, string type)
    {
        SourceFile file = new(source, Repository.Read(source));
        HashSet<(string, string)> rows = [.. DocRow.Read(Conformance).Where(row => row.Cells.Length > 2)
            .Select(row => (row.Cells[0], row.Cells[1]))];
        return from Match match in EnumMember().Matches(file.Code)
               let member = (match.Groups[1].Value, match.Groups[2].Value)
               where !rows.Contains(member)
               select $"{source}:{file.LineAt(match.Index)}: {type}.{member.Item1} = {member.Item2}";
    }

    private static bool Leads(string page, string target)
    {
        string[] parts = target.Split('#', 2);
        string path = parts[0].Length == 0
            ? page
            : Path.GetRelativePath(Repository.Root,
                Path.Combine(Repository.Root, Path.GetDirectoryName(page)!, parts[0])).Replace('\\', '/');
        return Repository.Exists(path) &&
            (parts.Length == 1 ||
                Heading().Matches(Repository.Read(path)).Any(match => Anchor(match.Groups[1].Value) == parts[1]));
    }

    private static string Anchor(string heading) =>
        Regex.Replace(heading.Trim().ToLowerInvariant(), @"[^\w\- ]", "").Replace(' ', '-');

    [GeneratedRegex(@"(?<!`)\[[^\]\n]*\]\(([^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"`((?:src|tests|docs|zones|dnsbench|container|\.ci)/[\w./-]*)`")]
    private static partial Regex PathName();

    [GeneratedRegex(@"^#+ +(.+?)\r?$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"`(?:\w+\.)?([A-Z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)`")]
    private static partial Regex TestName();

    [GeneratedRegex(@"\b(?:void|Task|ValueTask|Property)\s+([A-Z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)\s*(?:<[^<>]*>)?\(")]
    private static partial Regex TestMethod();

    [GeneratedRegex(@"\b([A-Za-z]\w*)\s*=\s*(\d+)\s*,")]
    private static partial Regex EnumMember();
}
