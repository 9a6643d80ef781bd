using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>The contract, and tests that need the loopback interface or a network namespace.</summary>
public abstract class UdpLoopbackContract : UdpListenerContract
{
    [RawSocketFact]
    public async Task A_query_from_our_own_address_and_port_is_dropped()
    {
        await using UdpRig rig = new(Setup, with: options => options with { Workers = 1 });
        rig.Forge((ushort)rig.Server.Port, TestResponder.Query(1));
        UdpCounters counters = rig.WaitFor(counters => counters.Received == 1 && counters.Unanswered == 1);
        Assert.Equal(0, counters.Sent);
    }

    [RawSocketFact]
    public async Task A_query_from_our_own_address_is_dropped_on_a_wildcard_too()
    {
        await using UdpRig rig = new(Setup, "0.0.0.0:0", with: options => options with { Workers = 1 });
        rig.Forge((ushort)rig.Server.Port, TestResponder.Query(1));
        UdpCounters counters = rig.WaitFor(counters => counters.Received == 1 && counters.Unanswered == 1);
        Assert.Equal(0, counters.Sent);
    }

    [IPv6Fact]
    public async Task On_the_IPv6_wildcard_every_address_of_the_loopback_interface_answers_for_itself()
    {
        await using UdpRig rig = new(Setup, "[::]:0");
        foreach (IPAddress asked in LoopbackAddresses())
        {
            using Socket client = UdpRig.ClientOf(new IPEndPoint(asked, rig.Server.Port));
            Assert.Equal(1, rig.Ask(client, TestResponder.Query(1))[1]);
            Assert.Equal(2, rig.Ask(client, TestResponder.Query(2))[1]);
        }
    }

    [IPv6Fact]
    public async Task The_IPv6_wildcard_leaves_IPv4_alone()
    {
        using PortLease port = PortLease.Take();
        await using UdpRig rig = new(Setup, $"[::]:{port.Port}");
        using Socket other = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        other.Bind(port.Loopback);
    }

    [Fact]
    public async Task A_port_that_another_listener_shares_among_its_own_sockets_is_in_use()
    {
        await using UdpRig rig = new(Setup);
        foreach (string address in new[] { "127.0.0.1", "0.0.0.0" })
        {
            IPEndPoint taken = new(IPAddress.Parse(address), rig.Server.Port);
            SocketException error =
                Assert.Throws<SocketException>(() => UdpListeners.Bind(Setup.Kind, taken, rig.Options));
            Assert.Equal(SocketError.AddressAlreadyInUse, error.SocketErrorCode);
        }
    }

    [Fact]
    public async Task A_stop_frees_the_port_and_gives_every_buffer_back()
    {
        using PortLease port = PortLease.Take();
        UdpRig rig = new(Setup, $"0.0.0.0:{port.Port}");
        rig.Ask(TestResponder.Query(1));
        await rig.DisposeAsync();
        Assert.Equal(0, rig.Pool.Outstanding);
        Assert.Equal(1, rig.Listener.Counters.Sent);
        using Socket next = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        next.BindOnceFree(new IPEndPoint(IPAddress.Any, port.Port));
    }

    [Fact]
    public async Task A_listener_that_never_started_can_be_stopped()
    {
        using PortLease port = PortLease.Take();
        IUdpListener listener = UdpListeners.Bind(Setup.Kind, port.Loopback, new TransportOptions());
        await listener.StopAsync(UdpRig.Grace);
        FreedPorts.OnceFree(() => UdpListeners.Bind(Setup.Kind, port.Loopback, new TransportOptions()).Dispose());
    }

    private static IEnumerable<IPAddress> LoopbackAddresses() => NetworkInterface.GetAllNetworkInterfaces()
        .Where(card => card.NetworkInterfaceType == NetworkInterfaceType.Loopback)
        .SelectMany(card => card.GetIPProperties().UnicastAddresses)
        .Select(address => address.Address)
        .Where(address => address.AddressFamily == AddressFamily.InterNetworkV6);
}
