using System.Text.RegularExpressions;

namespace Dns.Tidy.Tests;

/// <summary>A row of a table in a Markdown page, its cells trimmed.</summary>
internal sealed record DocRow(string Path, int Line, string[] Cells)
{
    /// <summary>The rows of every table of a page; the ruler under a heading is left out.</summary>
    public static IEnumerable<DocRow> Read(string path) => Read(path, Repository.Read(path));

    public static IEnumerable<DocRow> Read(string path, string text) =>
        from line in text.Split('\n').Select((value, index) => (value, number: index + 1))
        where line.value.StartsWith('|') && !Regex.IsMatch(line.value, @"^\|[\s:|-]+\|\s*$")
        select new DocRow(path, line.number, [.. CellsOf(line.value)]);

    private static IEnumerable<string> CellsOf(string line) =>
        Regex.Split(line.Trim().Trim('|'), @"(?<!\\)\|").Select(cell => cell.Trim());
}
