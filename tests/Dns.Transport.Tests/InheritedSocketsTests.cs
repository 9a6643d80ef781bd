using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Dns.Testing;

namespace Dns.Transport.Tests;

public sealed class InheritedSocketsTests
{
    /// <summary>A bound socket's descriptor, without an owner from here on.</summary>
    private static InheritedDescriptor Bound(SocketType type, ProtocolType protocol, IPEndPoint endPoint,
        bool listens = true)
    {
        Socket socket = new(AddressFamily.InterNetwork, type, protocol);
        socket.Bind(endPoint);
        if (type == SocketType.Stream && listens) socket.Listen();
        int descriptor = (int)socket.SafeHandle.DangerousGetHandle();
        socket.SafeHandle.SetHandleAsInvalid();
        return new InheritedDescriptor(descriptor);
    }

    [LinuxTheory]
    [InlineData(UdpListenerKind.Portable)]
    [InlineData(UdpListenerKind.Batched)]
    public async Task Sockets_that_were_handed_over_are_served_instead_of_bound(UdpListenerKind kind)
    {
        using PortLease port = PortLease.Take();
        IPEndPoint server = port.Loopback;
        using InheritedSockets inherited = new(
            [Bound(SocketType.Dgram, ProtocolType.Udp, server), Bound(SocketType.Stream, ProtocolType.Tcp, server)]);
        Assert.Empty(inherited.Problems);
        Assert.Equal(server, Assert.Single(inherited.Listeners));

        // Queries that arrived before are still queued.
        using Socket udp = UdpRig.ClientOf(server);
        udp.Send(TestResponder.Query(1));
        TransportOptions options =
            new() { Listeners = [server], UdpListener = kind, Workers = 2, Inherited = inherited };
        await using ListenerSet set = ListenerSet.Bind(options, out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        Assert.Empty(inherited.Listeners);
        set.Start(new TestResponder());
        Assert.Equal(12, udp.Receive(new byte[100]));
        using Socket tcp = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        tcp.Connect(server);
        Assert.Equal(2, TcpRig.Ask(tcp, TestResponder.Query(2))[1]);
    }

    [LinuxTheory]
    [InlineData(UdpListenerKind.Portable, "127.0.0.1:0", 0, 10)]
    [InlineData(UdpListenerKind.Batched, "127.0.0.1:0", 0, 10)]
    [InlineData(UdpListenerKind.Portable, "0.0.0.0:0", 0, 10)]
    [InlineData(UdpListenerKind.Batched, "0.0.0.0:0", 0, 10)]
    public void No_socket_believes_a_forged_path_mtu(UdpListenerKind kind, string address, int level, int option)
    {
        using IUdpListener listener =
            UdpListeners.Bind(kind, IPEndPoint.Parse(address), new TransportOptions { Workers = 2 });
        Assert.All(listener.Handles, handle => Assert.Equal(OmitMtuDiscovery, OptionOf(handle, level, option)));
    }

    [IPv6Fact]
    public void No_socket_of_IPv6_believes_a_forged_path_mtu()
    {
        using IUdpListener listener = UdpListeners.Bind(
            UdpListenerKind.Auto, IPEndPoint.Parse("[::1]:0"), new TransportOptions { Workers = 2 });
        Assert.All(listener.Handles, handle => Assert.Equal(OmitMtuDiscovery, OptionOf(handle, 41, 23)));
    }

    [LinuxFact]
    public void No_inherited_socket_believes_a_forged_path_mtu()
    {
        using PortLease port = PortLease.Take();
        using InheritedSockets inherited = new([Bound(SocketType.Dgram, ProtocolType.Udp, port.Loopback)]);
        Socket[] sockets = ListenSocket.BindUdp(port.Loopback, 1, new TransportOptions { Inherited = inherited });
        Assert.Equal(OmitMtuDiscovery, OptionOf(Assert.Single(sockets).SafeHandle, 0, 10));
        sockets[0].Dispose();
    }

    private const int OmitMtuDiscovery = 5;

    private static int OptionOf(SafeHandle handle, int level, int option)
    {
        byte[] value = new byte[sizeof(int)];
        using Socket socket = new(new SafeSocketHandle(handle.DangerousGetHandle(), ownsHandle: false));
        socket.GetRawSocketOption(level, option, value);
        return BitConverter.ToInt32(value);
    }

    [LinuxFact]
    public async Task The_half_of_an_address_that_was_not_handed_over_is_bound()
    {
        using PortLease port = PortLease.Take();
        IPEndPoint server = port.Loopback;
        using InheritedSockets inherited = new([Bound(SocketType.Dgram, ProtocolType.Udp, server)]);
        await using ListenerSet set = ListenerSet.Bind(
            new TransportOptions { Listeners = [server], Inherited = inherited },
            out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        set.Start(new TestResponder());
        using Socket tcp = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        tcp.Connect(server);
        Assert.Equal(2, TcpRig.Ask(tcp, TestResponder.Query(2))[1]);
    }

    [LinuxFact]
    public void Of_two_streams_of_an_address_one_is_taken_and_the_other_is_closed()
    {
        using PortLease port = PortLease.Take();
        using InheritedSockets inherited = new([Shared(), Shared()]);
        Assert.Empty(inherited.Problems);
        using (Socket? taken = inherited.TakeStream(port.Loopback)) Assert.NotNull(taken);
        Assert.Empty(inherited.Listeners);
        // A port that anything still listens on is not given to a socket that shares none.
        using Socket alone = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        alone.BindOnceFree(port.Loopback);
        alone.Listen();

        InheritedDescriptor Shared()
        {
            Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
            socket.Bind(port.Loopback);
            socket.Listen();
            int descriptor = (int)socket.SafeHandle.DangerousGetHandle();
            socket.SafeHandle.SetHandleAsInvalid();
            return new InheritedDescriptor(descriptor);
        }
    }

    [LinuxFact]
    public void What_is_not_taken_is_closed()
    {
        using PortLease port = PortLease.Take();
        IPEndPoint server = port.Loopback;
        using (InheritedSockets inherited = new([Bound(SocketType.Dgram, ProtocolType.Udp, server)]))
        {
            Assert.Single(inherited.Listeners);
        }

        using Socket again = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        again.BindOnceFree(server);
    }

    [LinuxFact]
    public void A_descriptor_that_cannot_be_served_is_a_problem()
    {
        using PortLease port = PortLease.Take();
        InheritedDescriptor silent = Bound(SocketType.Stream, ProtocolType.Tcp, port.Loopback, listens: false);
        using FileStream file = File.OpenRead("/dev/null");
        int noSocket = (int)file.SafeFileHandle.DangerousGetHandle();
        file.SafeFileHandle.SetHandleAsInvalid();
        using InheritedSockets inherited = new([silent, new InheritedDescriptor(noSocket)]);
        Assert.Empty(inherited.Listeners);
        Assert.Equal(
            [Line(silent.Number), Line(noSocket)], inherited.Problems);

        static string Line(int descriptor) =>
            $"inherited descriptor {descriptor} is neither a bound UDP socket nor a listening TCP socket";
    }
}
