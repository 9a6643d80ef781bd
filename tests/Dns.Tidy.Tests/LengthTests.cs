using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>Ratchets for the size of files, members and lines.</summary>
public class LengthTests
{
    private const int FileLines = 400;
    private const int MemberLines = 60;
    private const int Columns = 120;

    private static IEnumerable<SourceFile> Measured => Repository.Under("src/", "dnsbench/");

    [Fact]
    public void A_file_is_split_before_400_lines() =>
        Diagnostics.None(
            from file in Measured
            where file.LineCount > FileLines
            select $"{file.Path}:{file.LineCount}: {file.LineCount} lines",
            $"longer than {FileLines} lines");

    [Fact]
    public void A_member_fits_a_screen() =>
        Diagnostics.None(
            from file in Measured
            from member in Member.Read(file)
            where member.Lines > MemberLines
            where !Exceptions.LongMembers.Any(e => e.Path == file.Path && e.Member == member.Name)
            select $"{file.Path}:{member.Line}: {member.Name} has {member.Lines} lines",
            $"longer than {MemberLines} lines (a table or a ladder may be listed in {nameof(Exceptions)} with its " +
                $"reason)");

    [Fact]
    public void A_listed_exception_is_still_needed() =>
        Diagnostics.None(
            from e in Exceptions.LongMembers
            where !Repository.Sources.Any(file => file.Path == e.Path &&
                Member.Read(file).Any(member => member.Name == e.Member && member.Lines > MemberLines))
            select $"{e.Path}: {e.Member}",
            "no longer needed");

    [Fact]
    public void A_line_fits_the_page() =>
        Diagnostics.None(
            from file in Repository.Under("src/", "dnsbench/", "tests/")
            from line in TooWide(file)
            select $"{file.Path}:{line}",
            $"wider than {Columns} columns (a line that begins in or with a string may be)");

    [Fact]
    public void Text_of_strings_may_be_wide_and_code_may_not()
    {
        string wide = new('x', Columns);
        SourceFile file = new("sample.cs", $"""""
            // {wide}
            string a = $$"""
                {wide} {"{{1}}"} {wide}
                """;
            string b = "{wide}";
            Call(
                "{wide}",
                1);
            """"");
        Assert.Equal([1, 5], TooWide(file));
    }

    /// <summary>
    /// The numbers of lines that are too wide, but for those that begin in or with a string.
    /// </summary>
    private static IEnumerable<int> TooWide(SourceFile file)
    {
        int start = 0, number = 0;
        foreach (string line in file.Text.Split('\n'))
        {
            number++;
            int first = start + line.Length - line.TrimStart().Length, end = start + line.Length;
            bool isText = file.Comments.AsSpan(start, line.Length).IsWhiteSpace() &&
                (first == end || char.IsWhiteSpace(file.Code[first]) || file.Code[first] is '"' or '$' or '@');
            if (!isText && line.TrimEnd('\r').Length > Columns) yield return number;
            start = end + 1;
        }
    }

    [Fact]
    public void Members_are_measured_with_their_braces()
    {
        SourceFile file = new("sample.cs", """
            namespace X;
            class C
            {
                int[] table = { 1,
                    2 };
                int P
                {
                    get { return 1; }
                }
                void F(int a)
                {
                    if (a > 0) { }
                    void Local() { }
                }
                int G(int a) => a switch
                {
                    1 => 2,
                };
            }
            """);
        Assert.Equal(
            [("P", 6, 4), ("F", 10, 5), ("G", 15, 4)],
            Member.Read(file).Select(member => (member.Name, member.Line, member.Lines)));
    }
}
