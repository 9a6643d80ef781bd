using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

public class UpstreamPathTests
{
    [Fact]
    public void An_id_that_waits_for_another_by_now_is_not_removed_by_the_first()
    {
        VirtualClock clock = new();
        MonotonicClock time = new(clock);
        using TimingWheel wheel = new(time);
        SeededOctets random = new(1);
        using Upstream upstream = new(
            IPEndPoint.Parse("192.0.2.1:53"), 4, new(time, wheel, random, new ScriptedNetwork(clock), (_, _) => { }))
                { Zones = [DomainName.Root] };
        using DatagramPort port = new(upstream);
        Sink first = new(), second = new();
        Assert.True(port.TryUse(0));
        Assert.True(port.TryUse(0));
        Assert.True(port.TryRegister(new(first, 0, 0, 0), new SameId(), out ushort id));
        port.Remove(id, first);
        Assert.True(port.TryRegister(new(second, 0, 0, 0), new SameId(), out ushort again));
        Assert.Equal(id, again);
        port.Remove(id, first);
        Assert.Equal(1, port.PendingCount);
        byte[] reply = new byte[12];
        (reply[0], reply[1]) = ((byte)(id >> 8), (byte)id);
        port.Receive(reply);
        Assert.Equal((0, 1), (first.Received, second.Received));
        port.Remove(id, second);
        Assert.Equal(0, port.PendingCount);
    }

    [Fact]
    public void A_port_waits_for_as_many_replies_as_it_sends_queries()
    {
        VirtualClock clock = new();
        MonotonicClock time = new(clock);
        using TimingWheel wheel = new(time);
        SeededOctets random = new(1);
        using Upstream upstream = new(
            IPEndPoint.Parse("192.0.2.1:53"), 4, new(time, wheel, random, new ScriptedNetwork(clock), (_, _) => { }))
                { Zones = [DomainName.Root] };
        using DatagramPort port = new(upstream);
        Sink sink = new();
        int registered = 0;
        while (port.TryUse(0, evenIfExhausted: true) && port.TryRegister(new(sink, 0, 0, 0), random, out _))
            registered++;
        Assert.Equal((DatagramPort.MaxQueries, DatagramPort.MaxQueries), (registered, port.PendingCount));
    }

    /// <summary>Draws one ID, always.</summary>
    private sealed class SameId : RandomOctets
    {
        protected override void Refill(Span<byte> octets) => octets.Fill(7);
    }

    private sealed class Sink : IReplySink
    {
        public int Received { get; private set; }

        public QueryOwner Owner => QueryOwner.None;

        public void Receive(in PendingTry pending, ReadOnlySpan<byte> reply, bool isStream) => Received++;

        public void CountGuess(in PendingTry pending)
        {
        }

        public void EndOfStream(in PendingTry pending, bool hadReplies)
        {
        }

        public void OnEvicted(in PendingTry pending)
        {
        }
    }
}
