using System.Net;
using Dns.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Dns.Server.Tests.Forwarding;

public sealed class UpstreamOutageTests : ILogger<ForwardingLifetime>
{
    private static readonly IPEndPoint First = IPEndPoint.Parse("192.0.2.1:53"),
        Second = IPEndPoint.Parse("192.0.2.2:53");

    private readonly List<string> _logged = [];

    [Fact]
    public async Task Down_back_and_ourselves_are_events()
    {
        await using Forwarder forwarder = Forward(own: First);
        await new ForwardingLifetime(forwarder, TimeProvider.System, this).StartAsync(default);
        _logged.Clear();
        forwarder.UpstreamChanged!(Status(First, UpstreamState.Down, "."), TimeSpan.Zero);
        forwarder.UpstreamChanged!(Status(First, UpstreamState.Up, "."), TimeSpan.FromSeconds(12.34));
        forwarder.UpstreamChanged!(
            Status(Second, UpstreamState.Down, ".") with { Fault = new(IsUnreachable: true, "Network is unreachable") },
            TimeSpan.Zero);
        forwarder.SocketRefused!(First, new(IsUnreachable: false, "Too many open files"));
        forwarder.UpstreamChanged!(Status(First, UpstreamState.Self, "."), TimeSpan.Zero);
        Assert.Equal(
            [
                "410 Upstream 192.0.2.1:53 of . is down: no answer",
                "413 All upstreams of . are down: clients get stale answers or SERVFAIL",
                "411 Upstream 192.0.2.1:53 of . answers again, after 12.3 s",
                "410 Upstream 192.0.2.2:53 of . is down: cannot send: Network is unreachable",
                "413 All upstreams of . are down: clients get stale answers or SERVFAIL",
                "403 No further socket for 192.0.2.1:53: Too many open files; the open ones are used "
                    + "(logged once for each upstream, then counted)",
                "412 Upstream 192.0.2.1:53 of . is this server and is not queried",
                "413 All upstreams of . are down: clients get stale answers or SERVFAIL",
            ], _logged);
    }

    [Theory]
    [InlineData(false, true, null)]
    [InlineData(true, false, Rcode.ServFail)]
    public async Task What_is_explained_is_what_would_happen_now(bool isDown, bool wouldQuery, Rcode? rcode)
    {
        await using Forwarder forwarder = Forward(own: isDown ? First : Second);
        Dns.Testing.ServedZones served = new(new ResponderOptions(), new ForwardedZones(forwarder));
        byte[] query =
            (QueryMessage.For("www.example").WithEdns() with { Flags = MessageHeader.RecursionDesired }).ToOctets();
        byte[] room = new byte[1232];
        query.CopyTo(room, 0);
        QueryOrigin origin = new(ClientAddress.From(new(IPAddress.Loopback, 53000)), DnsTransport.Udp, now: 0);
        ExplainingSource source = new(new ForwardingExplanation(forwarder));
        int length = served.Responder.Respond(room, query.Length, ref origin, null, ref source);
        Assert.Equal(wouldQuery, source.WouldQuery);
        if (rcode is null) return;
        Reply reply = Reply.Read(room[..length]);
        Assert.Equal(rcode, reply.Rcode);
        Assert.Equal(["ExtendedError 0016"], reply.Options);
    }

    IDisposable? ILogger.BeginScope<TState>(TState state) => null;

    bool ILogger.IsEnabled(LogLevel logLevel) => true;

    void ILogger.Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        _logged.Add($"{eventId.Id} {formatter(state, exception)}");

    private static Forwarder Forward(IPEndPoint own) => new(
        new() { Zones = [new(DomainName.Root, [First])], AllowFrom = [IPNetwork.Parse("127.0.0.0/8")],
            OwnEndPoints = [own] },
        new VirtualClock(), new SocketNetwork());

    private static UpstreamStatus Status(IPEndPoint address, UpstreamState state, params string[] zones) => new(
        address, [.. zones.Select(DomainName.Parse)], state, TimeSpan.FromSeconds(90), 1, 0, 0, 0, 0, 0, false);
}
