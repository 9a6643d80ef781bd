using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>In a container that forbids system calls of the listeners: they use fallbacks and log that once.</summary>
public sealed class ForbiddenCallTests
{
    private const string Unpinned = "threads cannot be pinned to processors here; the system schedules them";
    private const string Unshared = "sockets cannot share a port here; one socket serves each address";

    [LinuxFact]
    public void Threads_that_may_not_be_pinned_serve_where_the_system_puts_them() =>
        ForbiddingThread.Run(ForbiddingThread.SetAffinity,
            () => Serve(UdpListenerKind.Batched, Unpinned, "127.0.0.1:0"));

    [LinuxTheory]
    [InlineData(UdpListenerKind.Batched)]
    [InlineData(UdpListenerKind.Portable)]
    public void Where_ports_may_not_be_shared_one_socket_serves_each_address(UdpListenerKind kind) =>
        ForbiddingThread.Run(
            ForbiddingThread.SharePort, () => Serve(kind, Unshared, "127.0.0.1:0", "[::1]:0", "127.0.0.2:0"));

    [LinuxFact]
    public void Where_ports_may_not_be_shared_a_wildcard_is_served_in_batches() =>
        ForbiddingThread.Run(ForbiddingThread.SharePort, () => Serve(UdpListenerKind.Batched, Unshared, "0.0.0.0:0"));

    [LinuxFact]
    public void Where_ports_may_not_be_shared_a_portable_wildcard_has_one_socket_for_each_address_asked() =>
        ForbiddingThread.Run(ForbiddingThread.SharePort, () =>
        {
            // The sockets of the addresses come later, on threads that may share; so they are opened here.
            using PortLease port = PortLease.Take();
            Socket first = ListenSocket.BindUdp(new IPEndPoint(IPAddress.Any, port.Port), 3, 0).Single();
            ListenSocket.BindMoreUdp(port.Loopback, 3, 0).Single().Dispose();
            first.Dispose();
        });

    [LinuxTheory]
    [InlineData(UdpListenerKind.Auto)]
    [InlineData(UdpListenerKind.Batched)]
    public void Where_datagrams_may_not_be_taken_in_batches_the_portable_listener_serves(UdpListenerKind kind) =>
        ForbiddingThread.Run(ForbiddingThread.ReceiveMany, () => Serve(
            kind, "recvmmsg or sendmmsg is not available here; using the portable UDP listener", "127.0.0.1:0"));

    private static void Serve(UdpListenerKind kind, string note, params string[] addresses)
    {
        TransportOptions options = new()
        {
            Listeners = [.. addresses.Select(IPEndPoint.Parse)], UdpListener = kind, Workers = 3,
        };
        ListenerSet set = ListenerSet.Bind(options, out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        Assert.Equal(note, Assert.Single(set.Notes));
        set.Start(new TestResponder());
        foreach (IPEndPoint server in set.EndPoints)
        {
            bool wildcard = UdpAdmission.IsWildcard(server.Address);
            using Socket client = UdpRig.ClientOf(wildcard ? new IPEndPoint(IPAddress.Loopback, server.Port) : server);
            for (ushort id = 1; id <= 20; id++)
            {
                client.Send(TestResponder.Query(id));
                Assert.Equal(12, client.Receive(new byte[100]));
            }
        }

        set.StopAsync(UdpRig.Grace).Wait();
    }
}
