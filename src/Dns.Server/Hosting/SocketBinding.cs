using System.Net;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>Binds the addresses of the settings and decides which failures matter.</summary>
internal static class SocketBinding
{
    /// <summary>The options of the transport.</summary>
    /// <param name="options">The settings.</param>
    /// <param name="source">Where sockets come from that were bound before; null = there are none.</param>
    public static TransportOptions TransportOptionsOf(ServerOptions options, SocketSource? source = null) => new()
    {
        Listeners = source?.Listeners ?? [.. options.Listen],
        Inherited = source?.Inherited,
        Workers = options.WorkerCount,
        MaxUdpPayload = options.MaxUdpPayload,
        UdpListener = options.Udp.Listener,
        SocketBufferBytes = options.Udp.ReceiveBufferBytes,
        ProxyFrom = ProxiesOf(options),
        OtherDescriptors = ForwardingSetup.DescriptorsOf(options),
        Tcp = options.Tcp,
    };

    /// <summary>The proxies that send PROXY headers; null = none.</summary>
    public static ClientNetworks? ProxiesOf(ServerOptions options) =>
        options.Proxy.From.Count > 0 ? new ClientNetworks(options.Proxy.From) : null;

    /// <summary>
    /// Divides failures into those that prevent a start and those that are warnings: a default address, or a wildcard,
    /// that this machine lacks, when another address was bound.
    /// </summary>
    public static (List<BindFailure> Errors, List<BindFailure> Warnings) Judge(
        IReadOnlyList<BindFailure> failures, int boundCount)
    {
        List<BindFailure> errors = [], warnings = [];
        foreach (BindFailure failure in failures)
            (boundCount > 0 && CanDoWithout(failure) ? warnings : errors).Add(failure);
        return (errors, warnings);
    }

    /// <summary>What to tell the operator of receive buffers that the system did not grant; null when it did.</summary>
    public static string? BufferNote(int askedBytes, int grantedBytes) => grantedBytes >= askedBytes || grantedBytes <= 0 ? null
        : $"The system grants UDP sockets receive buffers of {grantedBytes} bytes instead of {askedBytes}"
            + (OperatingSystem.IsLinux() ? $": sysctl -w net.core.rmem_max={askedBytes} allows them (and wmem_max for sending)" : "");

    private static bool CanDoWithout(BindFailure failure) =>
        failure.Kind == BindFailureKind.AddressNotAvailable
        && (ServerOptions.DefaultListen.Contains(failure.EndPoint)
            || failure.EndPoint.Address.Equals(IPAddress.IPv6Loopback)
            || failure.EndPoint.Address.Equals(IPAddress.IPv6Any));
}
