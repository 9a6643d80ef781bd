using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

public sealed class ListenerSetTests
{
    [Fact]
    public async Task Port_0_becomes_one_port_for_UDP_and_TCP()
    {
        await using ListenerSet set = Bind(out IReadOnlyList<BindFailure> failures, "127.0.0.1:0");
        Assert.Empty(failures);
        set.Start(new TestResponder());
        IPEndPoint server = Assert.Single(set.EndPoints);
        Assert.NotEqual(0, server.Port);
        using Socket udp = UdpRig.ClientOf(server);
        udp.Send(TestResponder.Query(1));
        Assert.Equal(12, udp.Receive(new byte[100]));
        using Socket tcp = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        tcp.Connect(server);
        Assert.Equal(2, TcpRig.Ask(tcp, TestResponder.Query(2))[1]);
        Assert.Equal(1, set.ReadTcpCounters().Accepted);
        Assert.Equal(1, set.ReadUdpCounters().Received);
    }

    [Theory]
    [InlineData(UdpListenerKind.Portable)]
    [InlineData(UdpListenerKind.Auto)]
    public async Task A_port_that_another_set_holds_is_in_use(UdpListenerKind kind)
    {
        await using ListenerSet first = Bind(out _, "127.0.0.1:0");
        TransportOptions options = new() { Listeners = first.Listeners, UdpListener = kind, Workers = 4 };
        await using ListenerSet second = ListenerSet.Bind(options, out IReadOnlyList<BindFailure> failures);
        BindFailure failure = Assert.Single(failures);
        Assert.Equal(BindFailureKind.AddressInUse, failure.Kind);
        string address = first.EndPoints[0].ToString();
        Assert.Equal(
            $"cannot listen on {address} (UDP): the port is in use by another program", failure.Reason);
        Assert.Empty(second.EndPoints);
    }

    [Fact]
    public async Task A_port_that_is_free_for_UDP_only_is_left_whole()
    {
        using PortLease port = PortLease.Take();
        IPEndPoint taken = port.Loopback;
        using Socket other = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        other.Bind(taken);
        other.Listen();
        await using ListenerSet set = Bind(out IReadOnlyList<BindFailure> failures, taken.ToString());
        BindFailure failure = Assert.Single(failures);
        Assert.Equal(ProtocolType.Tcp, failure.Protocol);
        Assert.Equal(BindFailureKind.AddressInUse, failure.Kind);
        using Socket udp = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        udp.BindOnceFree(taken);
    }

    [Fact]
    public async Task An_address_that_the_machine_lacks_is_told_apart_and_the_others_are_bound()
    {
        await using ListenerSet set =
            Bind(out IReadOnlyList<BindFailure> failures, "192.0.2.1:0", "127.0.0.1:0");
        Assert.Equal(BindFailureKind.AddressNotAvailable, Assert.Single(failures).Kind);
        Assert.Single(set.EndPoints);
    }

    [Fact]
    public async Task An_address_listed_twice_says_so()
    {
        using PortLease port = PortLease.Take();
        string address = port.Loopback.ToString();
        await using ListenerSet set = Bind(out IReadOnlyList<BindFailure> failures, address, address);
        Assert.Equal(
            $"cannot listen on {address} (UDP): {address} of the same list already covers it",
            Assert.Single(failures).Reason);
    }

    [LinuxTheory]
    [InlineData("0.0.0.0", "127.0.0.1")]
    [InlineData("127.0.0.1", "0.0.0.0")]
    public async Task An_address_that_an_earlier_one_covers_says_so(string first, string second)
    {
        using PortLease port = PortLease.Take();
        await using ListenerSet set =
            Bind(out IReadOnlyList<BindFailure> failures, $"{first}:{port.Port}", $"{second}:{port.Port}");
        Assert.Equal(
            $"cannot listen on {second}:{port.Port} (UDP): {first}:{port.Port} of the same list already covers it",
            Assert.Single(failures).Reason);
    }

    [Fact]
    public void A_refused_permission_names_the_remedy_in_one_line()
    {
        BindFailure failure = BindFailure.From(
            IPEndPoint.Parse("127.0.0.1:53"), ProtocolType.Udp,
            new SocketException((int)SocketError.AccessDenied));
        Assert.Equal(BindFailureKind.PermissionDenied, failure.Kind);
        Assert.StartsWith("cannot listen on 127.0.0.1:53 (UDP): permission denied", failure.Reason);
        Assert.DoesNotContain('\n', failure.Reason);
    }

    [Fact]
    public async Task A_set_starts_once()
    {
        await using ListenerSet set = Bind(out _, "127.0.0.1:0");
        set.Start(new TestResponder());
        Assert.Throws<InvalidOperationException>(() => set.Start(new TestResponder()));
    }

    [Fact]
    public async Task A_set_that_was_disposed_before_its_start_frees_its_ports()
    {
        using PortLease port = PortLease.Take();
        string address = port.Loopback.ToString();
        ListenerSet set = Bind(out IReadOnlyList<BindFailure> before, address);
        Assert.Empty(before);
        await set.DisposeAsync();
        await set.DisposeAsync();
        using Socket udp = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp),
            tcp = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        udp.BindOnceFree(port.Loopback);
        tcp.BindOnceFree(port.Loopback);
    }

    private static ListenerSet Bind(out IReadOnlyList<BindFailure> failures, params string[] addresses) =>
        ListenerSet.Bind(
            new TransportOptions { Listeners = [.. addresses.Select(IPEndPoint.Parse)] }, out failures);
}
