using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>What every UDP listener promises about proxies.</summary>
public abstract class ProxyListenerContract
{
    private protected abstract UdpSetup Setup { get; }

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("0.0.0.0:0")]
    public async Task The_responder_sees_the_client_and_the_proxy_gets_the_answer(string address)
    {
        await using UdpRig rig = Rig(ProxyHeaders.Loopback, address);
        for (ushort id = 1; id < 4; id++)
        {
            byte[] query = TestResponder.Query(id, 40, answerOctets: 100);
            foreach (string client in new[] { "203.0.113.9:4711", "[2001:db8::9]:4712" })
            {
                rig.Client.Send([.. ProxyHeaders.For(client, fieldOctets: 5), .. query]);
                Assert.Equal(TestResponder.Answer(query), rig.Receive(rig.Client));
                Assert.Equal(client, rig.Responder.LastClient.ToString());
            }
        }
    }

    [Fact]
    public async Task A_local_header_shows_the_proxy_itself()
    {
        await using UdpRig rig = Rig(ProxyHeaders.Loopback);
        byte[] query = TestResponder.Query(1, 40);
        rig.Client.Send([.. ProxyHeaders.Local(), .. query]);
        Assert.Equal(TestResponder.Answer(query), rig.Receive(rig.Client));
        Assert.Equal(rig.Client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
    }

    [Theory]
    [MemberData(nameof(ProxyHeaders.Malformed), MemberType = typeof(ProxyHeaders))]
    public async Task A_malformed_header_is_dropped_and_counted(string what, byte[] header)
    {
        await using UdpRig rig = Rig(ProxyHeaders.Loopback);
        rig.Client.Send([.. header, .. TestResponder.Query(1)]);
        rig.Client.Send([.. ProxyHeaders.Local(), .. TestResponder.Query(2)]);
        Assert.True(rig.ReceiveId(rig.Client) == 2, what);
        rig.WaitFor(counters => counters is { Received: 2, Sent: 1, Unanswered: 1 });
    }

    [Fact]
    public async Task Who_is_no_proxy_is_answered_without_a_header_and_dropped_with_one()
    {
        await using UdpRig rig = Rig(ProxyHeaders.Elsewhere);
        rig.Client.Send([.. ProxyHeaders.For("203.0.113.9:4711"), .. TestResponder.Query(1)]);
        Assert.Equal(2, rig.Ask(TestResponder.Query(2))[1]);
        Assert.Equal(rig.Client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
        rig.WaitFor(counters => counters is { Received: 2, Sent: 1, Unanswered: 1 });
    }

    [Fact]
    public async Task A_later_answer_knows_the_client_and_goes_to_the_proxy()
    {
        LaterAnswers later = new();
        await using UdpRig rig = Rig(ProxyHeaders.Loopback, responder: later.Responder);
        rig.Client.Send([.. ProxyHeaders.For("203.0.113.9:4711"), .. TestResponder.Query(LaterAnswers.FirstLater)]);
        ReplyPath path = later.Next().Path;
        Assert.Equal("203.0.113.9:4711", path.Client.ToString());
        path.Send(LaterAnswers.AnswerTo(LaterAnswers.FirstLater));
        Assert.Equal(LaterAnswers.FirstLater, rig.ReceiveId(rig.Client));
    }

    [Fact]
    public async Task A_proxied_datagram_longer_than_its_slot_is_reported_as_such()
    {
        await using UdpRig rig = Rig(ProxyHeaders.Loopback);
        byte[] header = ProxyHeaders.For("203.0.113.9:4711");
        rig.Client.Send([.. header, .. TestResponder.Query(1, rig.Options.SlotOctets - header.Length)]);
        Assert.Equal(rig.Options.SlotOctets - header.Length, rig.Receive(rig.Client).Length);
        rig.Client.Send([.. header, .. TestResponder.Query(1, rig.Options.SlotOctets - header.Length + 1)]);
        Assert.Equal(12, rig.Receive(rig.Client).Length);
    }

    [Fact]
    public async Task A_header_with_nothing_behind_it_is_silence()
    {
        await using UdpRig rig = Rig(ProxyHeaders.Loopback);
        rig.Client.Send(ProxyHeaders.For("203.0.113.9:4711"));
        rig.Client.Send([.. ProxyHeaders.Local(), .. TestResponder.Query(2)]);
        Assert.Equal(2, rig.ReceiveId(rig.Client));
    }

    private UdpRig Rig(
        ClientNetworks proxies, string address = "127.0.0.1:0", TestResponder? responder = null) =>
        new(Setup, address, responder, options => options with { ProxyFrom = proxies, Workers = 1 });
}

public sealed class PortableProxyTests : ProxyListenerContract
{
    private protected override UdpSetup Setup => UdpListenerKind.Portable;
}

public sealed class BatchedProxyTests : ProxyListenerContract
{
    private protected override UdpSetup Setup => UdpListeners.Choose(UdpListenerKind.Batched);
}
