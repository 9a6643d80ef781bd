using Xunit;

namespace Dns.Tidy.Tests;

public class CSharpTextTests
{
    [Theory]
    [InlineData("a // b", "a     ", "  // b")]
    [InlineData("a /* b */ c", "a         c", "  /* b */  ")]
    [InlineData("x = \"a // b\";", "x = \"      \";", "")]
    [InlineData("x = \"a\\\"b\" + c;", "x = \"    \" + c;", "")]
    [InlineData("x = @\"a\\\" + c;", "x = @\"  \" + c;", "")]
    [InlineData("x = $\"a{b}c\";", "x = $\" {b} \";", "")]
    [InlineData("x = $\"{{a}}\" + b;", "x = $\"     \" + b;", "")]
    [InlineData("x = \"\"\"a \" b\"\"\" + c;", "x = \"\"\"     \"\"\" + c;", "")]
    [InlineData("x = $\"{y[\"a\"]}z\";", "x = $\"{y[\" \"]} \";", "")]
    [InlineData("'\"' + b // c", "' ' + b     ", "        // c")]
    [InlineData("'\\'' + b", "'  ' + b", "")]
    public void Code_and_comments_are_told_apart(string text, string code, string comments)
    {
        SourceFile file = new("sample.cs", text);
        Assert.Equal(code, file.Code);
        Assert.Equal(comments.PadRight(text.Length), file.Comments);
    }

    [Fact]
    public void A_match_is_reported_with_its_line() =>
        Assert.Equal(
            ["sample.cs:3: needle"],
            new SourceFile("sample.cs", "a\n// needle\nneedle\n").Find(new("needle"), "a\n         \nneedle\n"));

    [Fact]
    public void The_root_holds_sources_of_every_part() =>
        Assert.All(
            new[] { "src/Dns.Protocol/", "src/Dns.Transport/", "src/Dns.Server/", "tests/" },
            folder => Assert.NotEmpty(Repository.Under(folder)));
}
