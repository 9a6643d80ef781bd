using System.CommandLine;
using Xunit;

namespace Dns.Bench.Tests;

/// <summary>The options of a command as they are typed.</summary>
public class OptionSetTests
{
    private static readonly OptionSet Options = new(
        ("names", "1000", "how many"), ("file", "", "where"), ("tcp", OptionSet.Switch, "over TCP"));

    [Fact]
    public void What_is_not_typed_has_its_default()
    {
        OptionValues values = Read();
        Assert.Equal((1000, "", false, false),
            (values.Int("names"), values["file"], values.Has("file"), values.Has("tcp")));
    }

    [Fact]
    public void What_is_typed_is_taken()
    {
        OptionValues values = Read("--tcp", "--names", "2,000", "--file", "a,b");
        Assert.Equal((2000, true, true), (values.Int("names"), values.Has("file"), values.Has("tcp")));
        Assert.Equal(["a", "b"], values.List("file"));
    }

    [Theory]
    [InlineData("-1")]
    [InlineData("many")]
    public void A_count_that_is_none_is_refused(string text) =>
        Assert.Contains(text, Assert.Throws<UsageException>(() => Read("--names=" + text).Int("names")).Message);

    [Theory]
    [InlineData("--nmaes", "3")]
    [InlineData("--file")]
    [InlineData("3")]
    public async Task An_unknown_or_unfinished_option_is_refused(params string[] typed)
    {
        BenchCommand command = new("some", "", Options, _ => throw new InvalidOperationException("was run"));
        await Assert.ThrowsAsync<UsageException>(() => command.Run(typed));
    }

    private static OptionValues Read(params string[] typed) => new(Options.ToCommand("some", "").Parse(typed));
}
