using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Tests;

public class LoopExceptionsTests
{
    private readonly Lines _log = new();

    [Fact]
    public void An_exception_is_counted_each_time_and_logged_once_for_its_loop_and_type()
    {
        LoopExceptions exceptions = new() { Logger = _log };
        for (int i = 0; i < 3; i++)
            exceptions.Report(TransportLoops.UdpReceive, new InvalidOperationException("one"), [0xAB, 1]);
        exceptions.Report(TransportLoops.UdpReceive, new IndexOutOfRangeException("two"), []);
        exceptions.Report(TransportLoops.TcpAccept, new InvalidOperationException("three"), []);
        Assert.Equal((4, 1, 0), (
            exceptions.CountOf(TransportLoops.UdpReceive), exceptions.CountOf(TransportLoops.TcpAccept),
            exceptions.CountOf("zone_watch")));
        Assert.Equal(
            ["Unexpected exception in loop udp_receive, message ab01: one",
             "Unexpected exception in loop udp_receive, message no message: two",
             "Unexpected exception in loop tcp_accept, message no message: three"], _log.All);
    }

    [Fact]
    public void A_long_message_is_logged_in_part()
    {
        LoopExceptions exceptions = new() { Logger = _log };
        exceptions.Report(Responder.LoopName, new InvalidOperationException("long"),
            new byte[LoopExceptions.MaxLoggedOctets + 1]);
        Assert.Contains(new string('0', 2 * LoopExceptions.MaxLoggedOctets) + "... (513 octets): long",
            Assert.Single(_log.All));
        Assert.DoesNotContain(new string('0', 2 * LoopExceptions.MaxLoggedOctets + 1), _log.All[0]);
    }

    [Fact]
    public void What_comes_before_the_log_is_counted_and_the_next_of_its_kind_is_logged()
    {
        LoopExceptions exceptions = new();
        exceptions.Report(TransportLoops.UdpReceive, new InvalidOperationException("early"), []);
        exceptions.Logger = _log;
        exceptions.Report(TransportLoops.UdpReceive, new InvalidOperationException("later"), []);
        Assert.Equal(2, exceptions.CountOf(TransportLoops.UdpReceive));
        Assert.EndsWith(": later", Assert.Single(_log.All));
    }

    [Fact]
    public void A_log_that_throws_is_no_reason_to_throw()
    {
        LoopExceptions exceptions = new() { Logger = new Lines { Throws = true } };
        exceptions.Report(TransportLoops.UdpReceive, new InvalidOperationException("lost"), []);
        Assert.Equal(1, exceptions.CountOf(TransportLoops.UdpReceive));
    }

    [Fact]
    public void A_timer_that_throws_is_reported_and_goes_on()
    {
        VirtualClock clock = new();
        ReportedExceptions reported = new();
        int turns = 0;
        using ITimer timer = clock.CreateTimer(
            reported, TelemetryLoops.HistoryTimer, () => throw new InvalidOperationException($"turn {++turns}"),
            TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        clock.Advance(TimeSpan.FromSeconds(3.5));
        Assert.Equal(3, turns);
        Assert.Equal(["turn 1", "turn 2", "turn 3"], reported.All.Select(one => one.Exception.Message));
    }

    [Fact]
    public void A_loop_that_is_named_is_shown_before_it_reports()
    {
        LoopExceptions exceptions = new("one", "two");
        exceptions.Report("two", new InvalidOperationException(), []);
        exceptions.Report("three", new InvalidOperationException(), []);
        Assert.Equal([("one", 0), ("three", 1), ("two", 1)], exceptions.Counts.Order());
    }

    private sealed class Lines : ILogger<LoopExceptions>
    {
        public List<string> All { get; } = [];

        public bool Throws { get; init; }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (Throws) throw new InvalidOperationException("Thrown by a test.");
            Assert.Equal((LogLevel.Error, 190), (logLevel, eventId.Id));
            All.Add($"{formatter(state, exception)}: {exception!.Message}");
        }
    }
}
