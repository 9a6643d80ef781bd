using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

public sealed class HandedSocketsTests
{
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    /// <summary>A bound socket's descriptor, which nobody owns from here on.</summary>
    private static int Bound(SocketType type, ProtocolType protocol, ref IPEndPoint endPoint, bool listens = true)
    {
        Socket socket = new(AddressFamily.InterNetwork, type, protocol);
        socket.Bind(endPoint);
        if (type == SocketType.Stream && listens) socket.Listen();
        endPoint = (IPEndPoint)socket.LocalEndPoint!;
        int descriptor = (int)socket.SafeHandle.DangerousGetHandle();
        socket.SafeHandle.SetHandleAsInvalid();
        return descriptor;
    }

    /// <summary>
    /// Binds UDP and TCP of one port. It lies below those that the system gives to whoever asks for any or connects: a port
    /// of the system's choice for the one may be taken for the other.
    /// </summary>
    private static IPEndPoint BoundPair(out int udp, out int tcp)
    {
        for (int tries = 1; ; tries++)
        {
            IPEndPoint server = new(IPAddress.Loopback, Random.Shared.Next(10_000, 30_000));
            udp = -1;
            try
            {
                udp = Bound(SocketType.Dgram, ProtocolType.Udp, ref server);
                tcp = Bound(SocketType.Stream, ProtocolType.Tcp, ref server);
                return server;
            }
            catch (SocketException error) when (error.SocketErrorCode == SocketError.AddressAlreadyInUse && tries < 100)
            {
                if (udp >= 0) new Socket(new SafeSocketHandle(udp, ownsHandle: true)).Dispose();
            }
        }
    }

    [LinuxTheory]
    [InlineData(UdpListenerKind.Portable)]
    [InlineData(UdpListenerKind.Batched)]
    public async Task Sockets_that_were_handed_over_are_served_instead_of_bound(UdpListenerKind kind)
    {
        IPEndPoint server = BoundPair(out int udpDescriptor, out int tcpDescriptor);
        using HandedSockets handed = new([udpDescriptor, tcpDescriptor]);
        Assert.Empty(handed.Problems);
        Assert.Equal(server, Assert.Single(handed.EndPoints));

        // What came while nobody served is still there.
        using Socket udp = UdpRig.ClientOf(server);
        udp.Send(TestResponder.Query(1));
        TransportOptions options = new() { EndPoints = [server], UdpListener = kind, Workers = 2, Handed = handed };
        await using ListenerSet set = ListenerSet.Bind(options, out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        Assert.Empty(handed.EndPoints);
        set.Start(new TestResponder());
        Assert.Equal(12, udp.Receive(new byte[100]));
        using Socket tcp = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        tcp.Connect(server);
        Assert.Equal(2, TcpRig.Ask(tcp, TestResponder.Query(2))[1]);
    }

    [LinuxFact]
    public async Task The_half_of_an_address_that_was_not_handed_over_is_bound()
    {
        IPEndPoint server = BoundPair(out int handedOver, out int free);
        using HandedSockets handed = new([handedOver]);
        new Socket(new SafeSocketHandle(free, ownsHandle: true)).Dispose();
        await using ListenerSet set = ListenerSet.Bind(
            new TransportOptions { EndPoints = [server], Handed = handed }, out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        set.Start(new TestResponder());
        using Socket tcp = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        tcp.Connect(server);
        Assert.Equal(2, TcpRig.Ask(tcp, TestResponder.Query(2))[1]);
    }

    [LinuxFact]
    public void What_is_not_taken_is_closed()
    {
        IPEndPoint server = AnyPort;
        using (HandedSockets handed = new([Bound(SocketType.Dgram, ProtocolType.Udp, ref server)]))
        {
            Assert.Single(handed.EndPoints);
        }

        using Socket again = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        again.Bind(server);
    }

    [LinuxFact]
    public void A_descriptor_that_cannot_be_served_is_a_problem()
    {
        IPEndPoint server = AnyPort;
        int silent = Bound(SocketType.Stream, ProtocolType.Tcp, ref server, listens: false);
        using FileStream file = File.OpenRead("/dev/null");
        int noSocket = (int)file.SafeFileHandle.DangerousGetHandle();
        file.SafeFileHandle.SetHandleAsInvalid();
        using HandedSockets handed = new([silent, noSocket]);
        Assert.Empty(handed.EndPoints);
        Assert.Equal(
            [Line(silent), Line(noSocket)], handed.Problems);

        static string Line(int descriptor) =>
            $"descriptor {descriptor} that was handed over is neither a bound UDP socket nor a listening TCP socket";
    }
}
