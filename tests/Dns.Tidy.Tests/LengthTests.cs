using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>Ratchets for the size of files, members and lines.</summary>
public class LengthTests
{
    private const int FileLines = 400;
    private const int MemberLines = 60;
    private const int Columns = 140;

    private static IEnumerable<SourceFile> Measured => Repository.Under("src/", "dnsbench/");

    [Fact]
    public void A_file_is_split_before_400_lines() =>
        Findings.None(
            from file in Measured
            where file.LineCount > FileLines
            select $"{file.Path}:{file.LineCount}: {file.LineCount} lines",
            $"longer than {FileLines} lines");

    [Fact]
    public void A_member_fits_a_screen() =>
        Findings.None(
            from file in Measured
            from member in Member.Read(file)
            where member.Lines > MemberLines
            where !Exceptions.LongMembers.Any(e => e.Path == file.Path && e.Member == member.Name)
            select $"{file.Path}:{member.Line}: {member.Name} has {member.Lines} lines",
            $"longer than {MemberLines} lines (a table or a ladder may be listed in {nameof(Exceptions)} with its reason)");

    [Fact]
    public void A_listed_exception_is_still_needed() =>
        Findings.None(
            from e in Exceptions.LongMembers
            where !Repository.Sources.Any(file => file.Path == e.Path &&
                Member.Read(file).Any(member => member.Name == e.Member && member.Lines > MemberLines))
            select $"{e.Path}: {e.Member}",
            "no longer needed");

    [Fact]
    public void A_line_fits_the_page() =>
        Findings.None(
            from file in Measured
            from line in file.Text.Split('\n').Select((text, index) => (text, number: index + 1))
            where line.text.TrimEnd('\r').Length > Columns
            select $"{file.Path}:{line.number}: {line.text.Length} columns",
            $"wider than {Columns} columns");

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
