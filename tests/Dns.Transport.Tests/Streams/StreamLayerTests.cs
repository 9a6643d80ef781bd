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

    [Fact]
    public async Task All_octets_reach_a_client_that_ends_its_side_while_the_inner_stream_is_full()
    {
        FullLayer layer = new(new MaskedLayer());
        await using ListenerSet set = Listen(layer, new TestResponder(), proxyFrom: null);
        using Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.ReceiveTimeout = TcpRig.TimeoutMs;
        client.Connect(Assert.Single(set.Listeners).EndPoint);
        byte[] query = TestResponder.Query(1, 40, answerOctets: 3000);
        byte[] reply = MaskedLayer.Apply(TcpRig.Frames(TestResponder.Answer(query)));
        client.Send([MaskedLayer.Greeting, .. MaskedLayer.Apply(TcpRig.Frames(query))]);
        client.Shutdown(SocketShutdown.Send);
        Assert.True(SpinWait.SpinUntil(() => layer.Waiting == 1, TcpRig.TimeoutMs));
        Assert.False(SpinWait.SpinUntil(() => layer.IsClosed, 100));
        layer.Room.SetResult();
        Assert.Equal([MaskedLayer.Greeting, .. reply], TcpRig.ReceiveOctets(client, 1 + reply.Length));
        Assert.True(SpinWait.SpinUntil(() => layer.IsReleased, TcpRig.TimeoutMs));
        Assert.False(layer.IsReleasedInUse);
    }

    private static ListenerSet Listen(IStreamLayer layer, TestResponder responder, ClientNetworks? proxyFrom)
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

    /// <summary>A layer over a stream that takes one octet, then none until there is room.</summary>
    private sealed class FullLayer(IStreamLayer layer) : IStreamLayer
    {
        private volatile int _waiting;

        public TaskCompletionSource Room { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int Waiting => _waiting;

        public volatile bool IsClosed, IsReleased, IsReleasedInUse;

        public IByteStream Open(IByteStream inner, in ClientAddress peer, IStreamBuffers buffers) =>
            layer.Open(new FullStream(this, inner), peer, buffers);

        private sealed class FullStream(FullLayer layer, IByteStream inner) : IByteStream
        {
            private bool _isFull;

            public ValueTask<bool> OpenAsync() => inner.OpenAsync();

            public ValueTask<int> ReceiveAsync(Memory<byte> room) => inner.ReceiveAsync(room);

            public int TrySend(ReadOnlySpan<byte> octets)
            {
                if (_isFull) return 0;
                _isFull = true;
                return inner.TrySend(octets[..1]);
            }

            public async ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets)
            {
                if (!_isFull) return await inner.SendAsync(octets);
                Interlocked.Increment(ref layer._waiting);
                await layer.Room.Task;
                int sent = await inner.SendAsync(octets);
                Interlocked.Decrement(ref layer._waiting);
                return sent;
            }

            public void Close()
            {
                layer.IsClosed = true;
                inner.Close();
            }

            public void Release()
            {
                layer.IsReleasedInUse = layer._waiting > 0;
                layer.IsReleased = true;
                inner.Release();
            }
        }
    }
}
