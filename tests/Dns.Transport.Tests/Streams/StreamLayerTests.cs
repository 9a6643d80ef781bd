using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests.Streams;

/// <summary>A layer, written once, on accepted and on outgoing connections.</summary>
public sealed class StreamLayerTests : IDisposable
{
    private readonly MonotonicClock _clock = new(TimeProvider.System);
    private readonly TimingWheel _wheel;

    public StreamLayerTests() => _wheel = new(_clock);

    public void Dispose() => _wheel.Dispose();

    [Fact]
    public async Task Both_sides_of_a_connection_use_the_same_layer()
    {
        MaskedLayer accepted = new(), outgoing = new(isClient: true);
        await using ListenerSet set = Listen(accepted, new TestResponder(), proxyFrom: null);
        IPEndPoint server = Assert.Single(set.Listeners).EndPoint;
        IByteStream stream = outgoing.Open(
            new SocketStream(server), ClientAddress.From(server), IStreamBuffers.Unbounded);
        await using (StreamClient client = new(stream, new(), _clock, _wheel))
        {
            Assert.Equal(StreamStatus.Done, await client.ConnectAsync());
            for (ushort id = 1; id <= 20; id++)
            {
                byte[] query = TestResponder.Query(id, 40 + 100 * id);
                Assert.Equal(StreamStatus.Done, await client.SendAsync(query));
                StreamMessage reply = await client.ReceiveAsync();
                Assert.Equal(StreamStatus.Done, reply.Status);
                Assert.Equal(TestResponder.Answer(query), reply.Octets.ToArray());
            }
        }

        Assert.Equal(1, outgoing.Released);
        Assert.True(SpinWait.SpinUntil(() => accepted.Released == 1, TcpRig.TimeoutMs));
        Assert.Equal(0, set.ReadTcpCounters().BufferBytes);
    }

    [Fact]
    public async Task The_header_of_a_proxy_comes_before_the_layer_however_its_octets_arrive()
    {
        MaskedLayer layer = new();
        TestResponder responder = new();
        await using ListenerSet set = Listen(layer, responder, ProxyHeaders.Loopback);
        IPEndPoint server = Assert.Single(set.Listeners).EndPoint;
        byte[] query = TestResponder.Query(1, 30);
        byte[] octets =
        [
            .. ProxyHeaders.For("203.0.113.9:4711", fieldOctets: 6, protocol: 1), MaskedLayer.Greeting,
            .. MaskedLayer.Apply(TcpRig.Frames(query)),
        ];
        for (int cut = 0; cut < octets.Length; cut += 3)
        {
            using Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            (client.NoDelay, client.ReceiveTimeout) = (true, TcpRig.TimeoutMs);
            client.Connect(server);
            if (cut > 0) client.Send(octets.AsSpan(0, cut));
            client.Send(octets.AsSpan(cut));
            Assert.Equal([MaskedLayer.Greeting], TcpRig.ReceiveOctets(client, 1));
            Assert.Equal(MaskedLayer.Apply(TcpRig.Frames(TestResponder.Answer(query))),
                TcpRig.ReceiveOctets(client, 2 + TestResponder.Answer(query).Length));
            Assert.Equal("203.0.113.9:4711", responder.LastClient.ToString());
            Assert.Equal("203.0.113.9:4711", layer.LastPeer.ToString());
            Assert.Equal(DnsTransport.Tls, responder.LastTransport);
        }
    }

    private static ListenerSet Listen(MaskedLayer layer, TestResponder responder, ClientNetworks? proxyFrom)
    {
        ListenerSet set = ListenerSet.Bind(
            new TransportOptions
            {
                Listeners = [new ListenerAddress(new IPEndPoint(IPAddress.Loopback, 0), ListenerKind.Tls)],
                Factories = new Dictionary<ListenerKind, IListenerFactory>
                {
                    [ListenerKind.Tls] = new StreamListeners(_ => layer),
                },
                ProxyFrom = proxyFrom,
            }, out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        set.Start(responder);
        return set;
    }
}
