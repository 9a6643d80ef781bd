using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Dns.Transport.Outgoing.Sockets;

namespace Dns.Transport.Tests.Outgoing;

/// <summary>Datagram sockets of a network namespace without a route to the upstream.</summary>
public class UnreachableNetworkTests
{
    private static readonly IPEndPoint Upstream = IPEndPoint.Parse("203.0.113.53:53");

    [Theory]
    [InlineData(SocketError.NetworkUnreachable, true)]
    [InlineData(SocketError.HostUnreachable, true)]
    [InlineData(SocketError.NetworkDown, true)]
    [InlineData(SocketError.HostDown, true)]
    [InlineData(SocketError.AddressNotAvailable, true)]
    [InlineData(SocketError.AccessDenied, true)]
    [InlineData(SocketError.InvalidArgument, true)]
    [InlineData(SocketError.AddressFamilyNotSupported, true)]
    [InlineData(SocketError.TooManyOpenSockets, false)]
    [InlineData(SocketError.NoBufferSpaceAvailable, false)]
    [InlineData(SocketError.AddressAlreadyInUse, false)]
    [InlineData(SocketError.ConnectionRefused, false)]
    public void A_lack_of_our_own_is_no_fault_of_the_network(SocketError error, bool isUnreachable) =>
        Assert.Equal(isUnreachable, SocketFault.Of(error).IsUnreachable);

    [Fact]
    public void A_local_port_that_is_denied_is_no_fault_of_the_network()
    {
        Assert.False(SocketFault.Of(SocketError.AccessDenied, isOfPort: true).IsUnreachable);
        Assert.True(SocketFault.Of(SocketError.AddressNotAvailable, isOfPort: true).IsUnreachable);
    }

    [PrivateNetworkTheory]
    [InlineData("203.0.113.53:53")]
    [InlineData("[2001:db8::53]:53")]
    [InlineData("[fe80::53]:53")]
    public void Without_a_route_no_socket_is_opened_and_the_network_is_the_reason(string upstream)
    {
        using NetworkNamespace space = new();
        space.Ip("link set lo up");
        NetworkFault? fault = space.Run(() =>
        {
            Assert.Null(new SocketNetwork().OpenDatagrams(
                IPEndPoint.Parse(upstream), 0, new HeldReceiver(), out NetworkFault? fault));
            return fault;
        });
        Assert.True(fault is { IsUnreachable: true }, fault?.Text);
    }

    [PrivateNetworkFact]
    public void A_route_that_goes_is_a_fault_of_the_network_and_one_that_returns_ends_it()
    {
        using NetworkNamespace space = new();
        space.Ip("link set lo up");
        space.Ip("route add 203.0.113.0/24 dev lo");
        using IDatagramPath path = Open(space, Upstream, new HeldReceiver());
        Assert.True(path.TrySend([1], out _));
        space.Ip("route del 203.0.113.0/24");
        Assert.False(path.TrySend([1], out NetworkFault? fault));
        Assert.Equal((true, "Network is unreachable"), (fault!.IsUnreachable, fault.Text));
        space.Ip("route add prohibit 203.0.113.0/24");
        Assert.False(path.TrySend([1], out fault));
        Assert.Equal((true, "Permission denied"), (fault!.IsUnreachable, fault.Text));
        space.Ip("route replace 203.0.113.0/24 dev lo");
        Assert.True(path.TrySend([1], out fault));
        Assert.Null(fault);
    }

    [PrivateNetworkFact]
    public void A_port_in_use_is_no_fault_of_the_network()
    {
        using NetworkNamespace space = new();
        space.Ip("link set lo up");
        IPEndPoint upstream = new(IPAddress.Loopback, 53);
        using IDatagramPath path = Open(space, upstream, new HeldReceiver());
        NetworkFault? fault = space.Run(() =>
        {
            Assert.Null(new SocketNetwork().OpenDatagrams(
                upstream, path.Local.Port, new HeldReceiver(), out NetworkFault? fault));
            return fault;
        });
        Assert.Equal(new NetworkFault(false, "Address already in use"), fault);
    }

    [PrivateNetworkTheory]
    [InlineData(3)]
    [InlineData(10)]
    [InlineData(13)]
    public void A_forged_icmp_message_keeps_no_datagram_from_being_sent(int code)
    {
        using NetworkNamespace space = new();
        space.Ip("link set lo up");
        using Socket upstream =
            space.Run(() => new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        upstream.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        HeldReceiver receiver = new();
        using IDatagramPath path = Open(space, (IPEndPoint)upstream.LocalEndPoint!, receiver);
        // The receive loop is held, so that the error is reported to the send.
        upstream.SendTo([1], path.Local);
        Assert.True(receiver.Entered.Wait(TimeSpan.FromSeconds(30)));
        using (Socket raw = space.Run(() => new Socket(AddressFamily.InterNetwork, SocketType.Raw, ProtocolType.Icmp)))
            raw.SendTo(Unreachable(code, path.Local, (IPEndPoint)upstream.LocalEndPoint!), path.Local);
        Assert.True(path.TrySend([42], out NetworkFault? fault));
        Assert.Null(fault);
        byte[] received = new byte[1];
        upstream.ReceiveTimeout = 30_000;
        Assert.Equal((1, 42), (upstream.Receive(received), received[0]));
        receiver.Go.Set();
    }

    private static IDatagramPath Open(NetworkNamespace space, IPEndPoint upstream, IPathReceiver receiver) =>
        space.Run(() => new SocketNetwork().OpenDatagrams(upstream, 0, receiver, out _)!);

    /// <summary>ICMP destination unreachable for a datagram of a socket (RFC 792).</summary>
    private static byte[] Unreachable(int code, IPEndPoint source, IPEndPoint destination)
    {
        byte[] message = new byte[8 + 20 + 8];
        (message[0], message[1]) = (3, (byte)code);
        Span<byte> ip = message.AsSpan(8), udp = message.AsSpan(28);
        (ip[0], ip[3], ip[8], ip[9]) = (0x45, 29, 64, 17);
        source.Address.TryWriteBytes(ip[12..], out _);
        destination.Address.TryWriteBytes(ip[16..], out _);
        BinaryPrimitives.WriteUInt16BigEndian(udp, (ushort)source.Port);
        BinaryPrimitives.WriteUInt16BigEndian(udp[2..], (ushort)destination.Port);
        udp[5] = 9;
        uint sum = 0;
        for (int i = 0; i < message.Length; i += 2) sum += BinaryPrimitives.ReadUInt16BigEndian(message.AsSpan(i));
        sum = (sum & 0xFFFF) + (sum >> 16);
        BinaryPrimitives.WriteUInt16BigEndian(message.AsSpan(2), (ushort)~(sum + (sum >> 16)));
        return message;
    }

    private sealed class HeldReceiver : IPathReceiver
    {
        public ManualResetEventSlim Entered { get; } = new();

        public ManualResetEventSlim Go { get; } = new();

        public void Receive(ReadOnlySpan<byte> octets)
        {
            Entered.Set();
            Go.Wait();
        }

        public void End()
        {
        }
    }
}
