using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>Marks of unfinished work and of tests that cannot fail.</summary>
public class LeftoverTests
{
    // Written in two parts so that a search for the marks does not find this file.
    private const string Marks = @"\b(TO" + @"DO|FIX" + @"ME|HA" + @"CK|XX" + @"X)\b";
    private const string Unfinished =
        @"\bNotImplemented" + @"Exception\b|\bAssert\.True\(\s*true\b|\bAssert\.False\(\s*false\b";
    private const string SkippedTest = @"\[[^\]]*\w*(Fact|Theory|Property)\w*\s*\([^\]]*\bSkip\s*=";
    private const string Sleeps = @"\bThread\s*\.\s*Sleep\s*\(|\bTask\s*\.\s*Delay\s*\(";
    private const string EmptyCatch = @"\bcatch\b\s*(\([^()]*\)\s*)?(when\s*\([^{}]*\)\s*)?\{\s*\}";
    private const string CatchAll = @"\bcatch\b\s*(\(\s*(System\.)?Exception\b[^()]*\)\s*)?\{\s*\}";

    private static IEnumerable<SourceFile> All => Repository.Under("src/", "tests/", "dnsbench/");

    [Fact]
    public void No_mark_of_unfinished_work_is_left() =>
        Diagnostics.None(
            All.SelectMany(file =>
                file.Find(new(Marks), file.Comments).Concat(file.Find(new(Marks + "|" + Unfinished), file.Code))),
            "left over");

    /// <summary>A custom attribute may skip a test on an unsuitable machine; that is not an argument.</summary>
    [Fact]
    public void No_test_is_skipped() =>
        Diagnostics.None(Repository.Under("tests/").SelectMany(file => file.Find(new(SkippedTest), file.Code)),
            "a skipped test tests nothing");

    [Fact]
    public void No_test_sleeps() =>
        Diagnostics.None(
            Exceptions.Remove(Repository.Under("tests/").SelectMany(file => file.Find(new(Sleeps), file.Code))),
            "wait for an event or turn a TimeProvider");

    [Fact]
    public void No_exception_is_swallowed_without_a_reason() =>
        Diagnostics.None(All.SelectMany(SwallowedIn),
            "an empty catch says in a comment why; a catch of everything is never empty");

    [Fact]
    public void Leftovers_are_recognised()
    {
        Assert.Matches(Marks, "// TO" + "DO: x");
        Assert.Matches(Unfinished, "throw new NotImplemented" + "Exception();");
        Assert.Matches(SkippedTest, "[Fact(Ski" + "p = \"\")]");
        Assert.Matches(Sleeps, "Thread" + ".Sleep(5)");
        Assert.Single(SwallowedIn(new("a.cs", "try { } catch { /* why */ }")));
        Assert.Single(SwallowedIn(new("a.cs", "try { } catch (IOException) { }")));
        Assert.Empty(SwallowedIn(new("a.cs", "try { } catch (IOException) { /* the file may be gone */ }")));
    }

    private static IEnumerable<string> SwallowedIn(SourceFile file) =>
        file.Find(new(CatchAll), file.Code).Concat(
            from Match match in Regex.Matches(file.Code, EmptyCatch)
            where string.IsNullOrWhiteSpace(file.Comments.Substring(match.Index, match.Length))
            where !Regex.IsMatch(match.Value, CatchAll)
            select $"{file.Path}:{file.LineAt(match.Index)}: {match.Value}");
}
