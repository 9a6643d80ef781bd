using System.Net;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Tests;

public class ForwardingLogTests
{
    [Theory]
    [InlineData(20, "Forwarding z20. to 192.0.2.2:53 192.0.2.1:53 (ordered)")]
    [InlineData(21, "Forwarding 1 more: see the settings")]
    [InlineData(1234, "Forwarding 1,214 more: see the settings")]
    public void Each_of_the_first_twenty_zones_has_a_line_with_its_upstreams_in_order(int count, string last)
    {
        Recorder lines = new();
        IPEndPoint[] upstreams = [new(IPAddress.Parse("192.0.2.2"), 53), new(IPAddress.Parse("192.0.2.1"), 53)];
        ForwardingLog.Write(lines, [.. Enumerable.Range(1, count)
            .Select(i => new ForwardZone(DomainName.Parse($"z{i}."), upstreams, UpstreamPolicy.Ordered))]);
        Assert.Equal(Math.Min(count, 21), lines.Lines.Count);
        Assert.Equal(last, lines.Lines[^1]);
    }

    private sealed class Recorder : ILogger
    {
        public List<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => Lines.Add(formatter(state, exception));
    }
}
