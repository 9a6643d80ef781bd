using Xunit;

namespace Dns.Bench.Tests;

/// <summary>The talk of the counted process with the one that counts.</summary>
public class AskedCounterTests
{
    [Fact]
    public void The_count_is_asked_for_and_read_from_the_second_line()
    {
        StringWriter output = new() { NewLine = "\n" };
        int calls = 0;
        long count = new AskedCounter(output, new StringReader("0\n4711\n")).Count(() => calls++);
        Assert.Equal((4711, 1, "?\n"), (count, calls, output.ToString()));
    }

    [Fact]
    public void Nothing_is_done_when_nobody_counts()
    {
        AskedCounter counter = new(new StringWriter(), new StringReader(""));
        Assert.Throws<IOException>(() => counter.Count(() => Assert.Fail("done without being counted")));
    }
}
