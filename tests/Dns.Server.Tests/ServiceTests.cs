using System.Collections;
using System.Net;
using Dns.Transport;
using Dns.Zones;
using Serilog.Events;
using Serilog.Parsing;

namespace Dns.Server.Tests;

public class ServiceTests
{
    private static Hashtable Variables(params (string Name, string Value)[] variables)
    {
        Hashtable table = [];
        foreach ((string name, string value) in variables) table[name] = value;
        return table;
    }

    [Theory]
    [InlineData("17", "2", 2)]
    [InlineData("18", "2", 0)]
    [InlineData("17", "-2", 0)]
    [InlineData("17", "x", 0)]
    [InlineData("17", "99999999", 0)]
    public void Sockets_are_taken_over_only_when_they_are_meant_for_this_process(string process, string count,
        int expected) =>
        Assert.Equal(expected, ActivationSockets.Count(Variables(("LISTEN_PID", process), ("LISTEN_FDS", count)), 17));

    [Fact]
    public void Without_the_variables_of_a_manager_no_socket_is_taken_over() =>
        Assert.Equal(0, ActivationSockets.Count(Variables(), 17));

    [Fact]
    public void Without_sockets_handed_over_the_addresses_are_those_of_the_settings() =>
        Assert.Equal(
            [new ListenerAddress(IPEndPoint.Parse("192.0.2.1:53"))],
            ActivationSockets.Listeners([IPEndPoint.Parse("192.0.2.1:53")], null));

    [Fact]
    public void A_socket_is_of_the_kind_that_its_name_says()
    {
        IReadOnlyList<InheritedDescriptor> descriptors =
            ActivationSockets.Descriptors(Variables(("LISTEN_FDNAMES", "dnsd.socket:tls:dns")), 4);
        Assert.Equal(
            [new(3, ListenerKind.Plain), new(4, ListenerKind.Tls), new(5, ListenerKind.Plain),
                new(6, ListenerKind.Plain)], descriptors);
        Assert.Equal([new(3, ListenerKind.Plain)], ActivationSockets.Descriptors(Variables(), 1));
    }

    [Theory]
    [InlineData("10000000", null, 10)]
    [InlineData("10000000", "other", 0)]
    [InlineData("0", null, 0)]
    [InlineData("x", null, 0)]
    [InlineData("99999999999999999999", null, 0)]
    public void The_watchdog_interval_is_read_for_this_process_only(string microseconds, string? process, int seconds)
    {
        Hashtable variables = Variables(("WATCHDOG_USEC", microseconds));
        if (process is not null) variables["WATCHDOG_PID"] = process;
        using ServiceNotifier notifier = new(variables, TimeProvider.System);
        Assert.Equal(TimeSpan.FromSeconds(seconds), notifier.WatchdogInterval);
        Assert.False(notifier.IsConnected);
    }

    [Fact]
    public void A_manager_that_cannot_be_reached_disturbs_nothing()
    {
        using ServiceNotifier notifier = new(Variables(("NOTIFY_SOCKET", "/nowhere/at/all")), TimeProvider.System);
        using ServiceNotifier tooLong =
            new(Variables(("NOTIFY_SOCKET", "/" + new string('x', 300))), TimeProvider.System);
        notifier.Ready("x");
        tooLong.Ready("x");
        Assert.False(tooLong.IsConnected);
    }

    [Theory]
    [InlineData(1, 0, "Serving 1 zone with 12 records")]
    [InlineData(2000, 3, "Serving 2,000 zones with 12 records; 3 broken")]
    public void The_status_tells_what_is_served(int loaded, int failed, string expected) =>
        Assert.Equal(expected, ServiceReports.StatusOf(new ZoneTotals(loaded, 0, failed, 0, 0, 12, 0, 0)));

    [Theory]
    [InlineData("8:1234", "socket:[1234]", true)]
    [InlineData("8:1234", "socket:[12345]", false)]
    [InlineData("8:1234", "pipe:[1234]", false)]
    [InlineData("1234", "socket:[1234]", false)]
    [InlineData(null, "socket:[1234]", false)]
    [InlineData("8:1234", null, false)]
    public void The_journal_is_recognised_by_its_inode(string? variable, string? target, bool expected) =>
        Assert.Equal(expected, JournalFormatter.IsJournal(variable, target));

    [Fact]
    public void Every_line_for_the_journal_has_its_priority()
    {
        MessageTemplate template = new MessageTemplateParser().Parse("Zone {Zone}\nis gone");
        InvalidOperationException error = new("first\nsecond");
        LogEvent line = new(DateTimeOffset.UnixEpoch, LogEventLevel.Error, error, template,
            [new LogEventProperty("Zone", new ScalarValue("example.com.")),
                new LogEventProperty("Event", new ScalarValue("D214"))]);
        StringWriter output = new();
        new JournalFormatter().Format(line, output);
        string[] lines = output.ToString().TrimEnd().Split(Environment.NewLine);
        Assert.Equal(
            ["<3>D214 Zone example.com. is gone", "<3>System.InvalidOperationException: first", "<3>second"], lines);
    }

    [Fact]
    public void A_reason_not_to_start_has_the_priority_of_an_error_in_the_journal()
    {
        StringWriter output = new() { NewLine = "\n" };
        using JournalErrors errors = new(output) { NewLine = "\n" };
        errors.WriteLine("dnsd.json:1:1: error: not valid JSON");
        errors.Write("two\nlines\n");
        Assert.Equal("<3>dnsd.json:1:1: error: not valid JSON\n<3>two\n<3>lines\n", output.ToString());
    }

    [Theory]
    [InlineData(4194304, 212992, "net.core.rmem_max=4194304")]
    [InlineData(4194304, 4194304, null)]
    [InlineData(0, 212992, null)]
    [InlineData(4194304, 0, null)]
    public void A_smaller_receive_buffer_than_asked_names_the_remedy(int asked, int granted, string? remedy)
    {
        string? note = SocketBinding.BufferNote(asked, granted);
        if (remedy is null || !OperatingSystem.IsLinux()) Assert.Equal(remedy is null, note is null);
        else Assert.Contains(remedy, note);
    }
}
