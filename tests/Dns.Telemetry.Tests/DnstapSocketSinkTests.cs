using Dns.Testing;

namespace Dns.Telemetry.Tests;

/// <summary>Collectors of dnstap that take their time.</summary>
public sealed class DnstapSocketSinkTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    private readonly string _folder = Directory.CreateTempSubdirectory("dns-tap-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string PathOf(string name) => Path.Combine(_folder, name);

    private DnstapSocketSink Sink() =>
        new(PathOf("socket"), new DnstapMessage(null, "dnsd 1"), TimeProvider.System);

    [Fact]
    public async Task A_collector_that_sends_octet_by_octet_does_not_hold_the_end()
    {
        using DrippingCollector collector = new(PathOf("socket"), isAccepting: true);
        DnstapSocketSink sink = Sink();
        sink.Flush();
        sink.Dispose();
        Assert.False(await collector.HasSentAll.WaitAsync(Patience));
    }

    [Fact]
    public async Task A_collector_that_accepts_octet_by_octet_is_given_up()
    {
        using DrippingCollector collector = new(PathOf("socket"), isAccepting: false);
        using DnstapSocketSink sink = Sink();
        Assert.Throws<IOException>(sink.Flush);
        Assert.False(await collector.HasSentAll.WaitAsync(Patience));
    }
}
