using System.Net;

namespace Dns.Transport.Tests;

/// <summary>
/// Two network namespaces joined by a pair of virtual interfaces, <c>d0</c> of the server and <c>d1</c> of the
/// clients, so that datagrams pass through devices, routes and neighbours.
/// </summary>
internal sealed class VethPair : IDisposable
{
    public VethPair()
    {
        Servers.Ip("link set lo up");
        Servers.Ip($"link add d0 type veth peer name d1 netns {Clients.ThreadId}");
        foreach (string address in new[] { "192.0.2.1/24", "192.0.2.2/24", "2001:db8::1/64 nodad",
            "2001:db8::2/64 nodad" })
        {
            Servers.Ip($"addr add {address} dev d0");
        }

        Servers.Ip("link set d0 up");
        Clients.Ip("addr add 192.0.2.100/24 dev d1");
        Clients.Ip("addr add 2001:db8::100/64 dev d1 nodad");
        Clients.Ip("link set d1 up");

        // The kernel activates a link some time after it was set up; earlier packets may be lost.
        Assert.True(SpinWait.SpinUntil(() => IsInUse(Servers, "d0") && IsInUse(Clients, "d1"), UdpRig.TimeoutMs));
    }

    public NetworkNamespace Servers { get; } = new();

    public NetworkNamespace Clients { get; } = new();

    /// <summary>The address here that stands for a loopback address; wildcards stay.</summary>
    public static IPEndPoint AddressFor(IPEndPoint loopback) => loopback.Address switch
    {
        IPAddress address when address.Equals(IPAddress.IPv6Loopback) => IPEndPoint.Parse("[2001:db8::1]:0"),
        IPAddress address when IPAddress.IsLoopback(address) =>
            new IPEndPoint(IPAddress.Parse($"192.0.2.{address.GetAddressBytes()[3]}"), loopback.Port),
        _ => loopback,
    };

    private static bool IsInUse(NetworkNamespace side, string link) =>
        side.Ip($"link show {link}").Contains("state UP", StringComparison.Ordinal);

    public void Dispose()
    {
        Servers.Dispose();
        Clients.Dispose();
    }
}
