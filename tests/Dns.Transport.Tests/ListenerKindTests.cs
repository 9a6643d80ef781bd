using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>Listeners of another kind than plain DNS: with a layer, passed on at a takeover with their kind.</summary>
public sealed class ListenerKindTests
{
    private static readonly ListenerAddress Address =
        new(new IPEndPoint(IPAddress.Loopback, 0), ListenerKind.Tls) { Certificate = "one" };

    private static Dictionary<ListenerKind, IListenerFactory> Tls(Func<ListenerAddress, IStreamLayer> layerOf) =>
        new() { [ListenerKind.Tls] = new StreamListeners(layerOf) };

    private static Socket Connect(IPEndPoint server)
    {
        Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true, ReceiveTimeout = TcpRig.TimeoutMs,
        };
        client.Connect(server);
        return client;
    }

    private static byte[] Ask(Socket client, byte[] query)
    {
        client.Send(MaskedLayer.Apply(TcpRig.Frames(query)));
        byte[] length = MaskedLayer.Apply(TcpRig.ReceiveOctets(client, 2));
        return MaskedLayer.Apply(TcpRig.ReceiveOctets(client, length[0] << 8 | length[1]));
    }

    [Fact]
    public async Task A_connection_is_served_over_the_layer_of_its_listener()
    {
        MaskedLayer layer = new();
        ListenerAddress? asked = null;
        TransportOptions options = new()
        {
            Listeners = [Address],
            Factories = Tls(address =>
            {
                asked = address;
                return layer;
            }),
        };
        await using ListenerSet set = ListenerSet.Bind(options, out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        Assert.Equal((ListenerKind.Tls, "one"), (asked?.Kind, asked?.Certificate));
        IPEndPoint server = Assert.Single(set.Listeners).EndPoint;
        TestResponder responder = new();
        set.Start(responder);
        using (Socket client = Connect(server))
        {
            client.Send([MaskedLayer.Greeting]);
            Assert.Equal([MaskedLayer.Greeting], TcpRig.ReceiveOctets(client, 1));
            foreach (byte[] query in (byte[][])[TestResponder.Query(1), TestResponder.Query(2, 3000),
                TestResponder.Query(3, 12, 60_000)])
            {
                Assert.Equal(TestResponder.Answer(query), Ask(client, query));
            }

            Assert.Equal(DnsTransport.Tls, responder.LastTransport);
        }

        using Socket mute = Connect(server);
        mute.Send([1]);
        Assert.True(TcpRig.IsClosed(mute));
        Assert.True(SpinWait.SpinUntil(() => layer.Released == 2, TcpRig.TimeoutMs));
    }

    [Fact]
    public async Task A_listener_of_another_kind_has_no_UDP_and_takes_only_the_TCP_port()
    {
        using PortLease port = PortLease.Take();
        await using ListenerSet set = ListenerSet.Bind(
            new TransportOptions
            {
                Listeners = [Address with { EndPoint = port.Loopback }], Factories = Tls(_ => new MaskedLayer()),
            }, out _);
        using Socket udp = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        udp.Bind(port.Loopback);
        Assert.Equal(ListenerKind.Tls, Assert.Single(set.Handles).Kind);
    }

    [Fact]
    public async Task A_kind_without_a_layer_is_a_failure_and_not_served_plain()
    {
        await using ListenerSet set = ListenerSet.Bind(
            new TransportOptions { Listeners = [Address] }, out IReadOnlyList<BindFailure> failures);
        Assert.Equal("cannot listen on 127.0.0.1:0 (TCP): this server does not support TLS",
            Assert.Single(failures).Reason);
        Assert.Empty(set.Listeners);
    }

    [LinuxFact]
    public async Task An_inherited_socket_is_served_as_the_kind_that_it_was_bound_for()
    {
        using PortLease port = PortLease.Take();
        Socket bound = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        bound.Bind(port.Loopback);
        bound.Listen();
        int descriptor = (int)bound.SafeHandle.DangerousGetHandle();
        bound.SafeHandle.SetHandleAsInvalid();
        using InheritedSockets inherited = new([new InheritedDescriptor(descriptor, ListenerKind.Tls)]);
        Assert.Empty(inherited.Problems);
        ListenerAddress address = Assert.Single(inherited.Listeners);
        Assert.Equal(new ListenerAddress(port.Loopback, ListenerKind.Tls), address);
        Assert.Null(inherited.TakeStream(port.Loopback));
        await using ListenerSet set = ListenerSet.Bind(
            new TransportOptions
            {
                Listeners = [address], Inherited = inherited, Factories = Tls(_ => new MaskedLayer()),
            }, out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        Assert.Empty(inherited.Listeners);
        set.Start(new TestResponder());
        using Socket client = Connect(port.Loopback);
        client.Send([MaskedLayer.Greeting]);
        Assert.Equal([MaskedLayer.Greeting], TcpRig.ReceiveOctets(client, 1));
        Assert.Equal(2, Ask(client, TestResponder.Query(2))[1]);
    }

    [LinuxFact]
    public void A_datagram_socket_for_TLS_is_a_problem()
    {
        Socket bound = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        bound.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        int descriptor = (int)bound.SafeHandle.DangerousGetHandle();
        bound.SafeHandle.SetHandleAsInvalid();
        using InheritedSockets inherited = new([new InheritedDescriptor(descriptor, ListenerKind.Tls)]);
        Assert.Equal([$"inherited descriptor {descriptor} for TLS is not a listening TCP socket"], inherited.Problems);
    }
}
