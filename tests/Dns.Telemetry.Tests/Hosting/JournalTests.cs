using Serilog.Events;
using Serilog.Parsing;

namespace Dns.Telemetry.Tests.Hosting;

/// <summary>Priorities of lines for the systemd journal.</summary>
public class JournalTests
{
    [Theory]
    [InlineData("8:1234", "socket:[1234]", true)]
    [InlineData("8:1234", "socket:[12345]", false)]
    [InlineData("8:1234", "pipe:[1234]", false)]
    [InlineData("1234", "socket:[1234]", false)]
    [InlineData(null, "socket:[1234]", false)]
    [InlineData("8:1234", null, false)]
    public void The_journal_is_recognised_by_its_inode(string? variable, string? target, bool expected) =>
        Assert.Equal(expected, SystemdFormatter.IsJournal(variable, target));

    [Fact]
    public void Every_line_for_the_journal_has_its_priority()
    {
        MessageTemplate template = new MessageTemplateParser().Parse("Zone {Zone}\nis gone");
        InvalidOperationException error = new("first\nsecond");
        LogEvent line = new(DateTimeOffset.UnixEpoch, LogEventLevel.Error, error, template,
            [new LogEventProperty("Zone", new ScalarValue("example.com.")),
                new LogEventProperty("Event", new ScalarValue("D214"))]);
        StringWriter output = new();
        new SystemdFormatter().Format(line, output);
        string[] lines = output.ToString().TrimEnd().Split(Environment.NewLine);
        Assert.Equal(
            ["<3>D214 Zone example.com. is gone", "<3>System.InvalidOperationException: first", "<3>second"], lines);
    }

    [Fact]
    public void A_reason_not_to_start_has_the_priority_of_an_error_in_the_journal()
    {
        StringWriter output = new() { NewLine = "\n" };
        using SystemdErrorWriter errors = new(output) { NewLine = "\n" };
        errors.WriteLine("dnsd.json:1:1: error: not valid JSON");
        errors.Write("two\nlines\n");
        Assert.Equal("<3>dnsd.json:1:1: error: not valid JSON\n<3>two\n<3>lines\n", output.ToString());
    }
}
