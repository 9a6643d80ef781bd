using System.Net;
using Dns.Testing;
using Xunit;
using TestZones = Dns.Testing.ServedZones;

namespace Dns.Server.Tests.Forwarding;

/// <summary>What queries keep whose aliases lead from zone to zone.</summary>
public sealed class PartMemoryTests
{
    private static readonly byte[] Long = new byte[65_000];

    private readonly Forwarder _forwarder = new(
        new() { Zones = [new(DomainName.Root, [IPEndPoint.Parse("192.0.2.53:53")])],
            AllowFrom = [IPNetwork.Parse("127.0.0.0/8")] },
        new VirtualClock(), new SilentNetwork());

    [Fact]
    public void Answers_kept_while_queries_wait_for_others_are_bounded_in_sum()
    {
        ForwardingAdapter adapter = AdapterWith(new PartMemory(200_000));
        WaitingQuery[] waiting = [.. Enumerable.Range(0, 4).Select(_ => Prepared(adapter, TransportKind.Tcp))];
        Assert.Equal([true, true, true, false], waiting.Select((one, i) => TryFollowAlias(one, $"n{i}.example")));
        Assert.InRange(adapter.Parts.Held, 3 * Long.Length, 200_000);
        waiting[0].Clear();
        Assert.True(TryFollowAlias(waiting[3], "again.example"));
        Assert.False(TryFollowAlias(waiting[3], "more.example"));
        foreach (WaitingQuery one in waiting) one.Clear();
        Assert.Equal(0, adapter.Parts.Held);
    }

    [Fact]
    public void Addresses_that_may_be_forged_leave_an_eighth_of_what_is_kept_and_are_truncated()
    {
        ForwardingAdapter adapter = AdapterWith(new PartMemory(8 * (Long.Length + 1000)));
        WaitingQuery[] forged = [.. Enumerable.Range(0, 8).Select(_ => Prepared(adapter, TransportKind.Udp))];
        WaitingQuery[] proven = [.. Enumerable.Range(0, 2).Select(_ => Prepared(adapter, TransportKind.Tcp))];
        for (int i = 0; i < 7; i++) Assert.True(TryFollowAlias(forged[i], $"n{i}.example"));
        Assert.False(TryFollowAlias(forged[7], "n7.example", out DeferralRefusal refusal));
        Assert.True(refusal.WantsProof);
        Assert.True(TryFollowAlias(proven[0], "n8.example"));
        Assert.False(TryFollowAlias(proven[1], "n9.example", out refusal));
        Assert.False(refusal.WantsProof);
        foreach (WaitingQuery one in forged.Concat(proven)) one.Clear();
        Assert.Equal(0, adapter.Parts.Held);
    }

    [Fact]
    public void By_default_they_take_an_eighth_of_the_memory_at_most()
    {
        ForwardingAdapter adapter = AdapterWith(null);
        Assert.InRange(PartMemory.AffordableBytes, 4 << 20, 1 << 30);
        Assert.True(adapter.Parts.TryTake((int)PartMemory.AffordableBytes, isProven: true));
        Assert.False(adapter.Parts.TryTake(1, isProven: true));
    }

    private static bool TryFollowAlias(WaitingQuery waiting, string text) => TryFollowAlias(waiting, text, out _);

    private static bool TryFollowAlias(WaitingQuery waiting, string text, out DeferralRefusal refusal)
    {
        LookupName name = default;
        name.Set(DomainName.Parse(text).Octets);
        return waiting.TryFollowAlias(new Question(in name, RRType.A, RRClass.IN, 0), default, Long, out refusal);
    }

    private static WaitingQuery Prepared(ForwardingAdapter adapter, TransportKind kind)
    {
        LookupName name = default;
        name.Set(DomainName.Parse("www.example").Octets);
        WaitingQuery waiting = new(adapter);
        QueryMessage query = QueryMessage.For("www.example") with { Flags = MessageHeader.RecursionDesired };
        DeferredQuery deferred =
            CapturedQuery.Of(adapter.Responder, query, new DnsTransport(kind), adapter.Clock.GetTimestamp());
        waiting.Prepare(in deferred, new Question(in name, RRType.A, RRClass.IN, 0), 0);
        return waiting;
    }

    private ForwardingAdapter AdapterWith(PartMemory? memory)
    {
        TestZones served = new(new ResponderOptions(), new ForwardedZones(_forwarder));
        LiveResponder responder = new(served.Responder);
        return memory is null ? new(responder, _forwarder, null) : new(responder, _forwarder, null) { Parts = memory };
    }

    /// <summary>Nothing is ever answered.</summary>
    private sealed class SilentNetwork : IOutgoingNetwork
    {
        public IDatagramPath? OpenDatagrams(
            PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault)
        {
            fault = null;
            return new SilentPath(localPort);
        }

        public IByteStream MakeStream(PeerAddress server) => throw new NotSupportedException();
    }

    private sealed class SilentPath(int port) : IDatagramPath
    {
        public IPEndPoint Local { get; } = new(IPAddress.Loopback, port);

        public bool TrySend(ReadOnlySpan<byte> message, out NetworkFault? fault)
        {
            fault = null;
            return true;
        }

        public void Dispose()
        {
        }
    }
}
