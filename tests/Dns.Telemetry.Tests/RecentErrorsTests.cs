using Serilog.Events;
using Serilog.Parsing;

namespace Dns.Telemetry.Tests;

public class RecentErrorsTests
{
    private readonly RecentErrors _recent = new();

    private void Write(LogEventLevel level, string text) =>
        _recent.Emit(new LogEvent(DateTimeOffset.UnixEpoch, level, null, new MessageTemplateParser().Parse(text), []));

    [Theory]
    [InlineData(49, 1)]
    [InlineData(50, 1)]
    [InlineData(51, 2)]
    public void The_last_fifty_lines_are_kept_and_the_last_comes_first(int lines, int oldest)
    {
        for (int i = 1; i <= lines; i++) Write(i % 2 == 0 ? LogEventLevel.Warning : LogEventLevel.Error, $"line {i}");
        Assert.Equal(
            Enumerable.Range(oldest, lines - oldest + 1).Reverse().Select(i => $"line {i}"),
            _recent.Read().Select(line => line.Text));
    }

    [Theory]
    [InlineData(LogEventLevel.Debug, 0)]
    [InlineData(LogEventLevel.Information, 0)]
    [InlineData(LogEventLevel.Warning, 1)]
    [InlineData(LogEventLevel.Error, 1)]
    [InlineData(LogEventLevel.Fatal, 1)]
    public void Warnings_and_what_is_worse_are_kept(LogEventLevel level, int kept)
    {
        Write(level, "a line");
        Assert.Equal(kept, _recent.Read().Count);
    }

    [Fact]
    public void A_long_line_is_cut()
    {
        Write(LogEventLevel.Error, new string('x', 500));
        Write(LogEventLevel.Error, new string('y', 501));
        Assert.Equal([new string('y', 500) + "…", new string('x', 500)], _recent.Read().Select(line => line.Text));
    }
}
