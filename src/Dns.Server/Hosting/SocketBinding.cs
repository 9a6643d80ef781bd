namespace Dns.Server.Hosting;

/// <summary>Binds the addresses of the settings and classifies failures.</summary>
internal static class SocketBinding
{
    /// <summary>The options of the transport.</summary>
    /// <param name="source">The origin of inherited sockets; null = none.</param>
    public static TransportOptions TransportOptionsOf(ServerOptions options, SocketSource? source = null) => new()
    {
        Listeners = source?.Listeners ?? options.Listen,
        Inherited = source?.Inherited,
        Workers = options.WorkerCount,
        MaxUdpPayload = options.MaxUdpPayload,
        UdpListener = options.Of(UdpOptions.Section).Listener,
        SocketBufferBytes = options.Of(UdpOptions.Section).ReceiveBufferBytes,
        ProxyFrom = SocketFeature.ProxiesOf(options),
        OtherDescriptors = ForwardingFeature.DescriptorsOf(options),
        Tcp = SocketFeature.LimitsOf(options),
    };

    /// <summary>
    /// Separates failures that prevent a start from warnings: a default address, or a wildcard, that this machine lacks
    /// while another address was bound.
    /// </summary>
    public static (List<BindFailure> Errors, List<BindFailure> Warnings) Classify(
        IReadOnlyList<BindFailure> failures, int boundCount)
    {
        List<BindFailure> errors = [], warnings = [];
        foreach (BindFailure failure in failures)
            (boundCount > 0 && CanDoWithout(failure) ? warnings : errors).Add(failure);
        return (errors, warnings);
    }

    /// <summary>A warning about receive buffers smaller than configured; null if granted.</summary>
    public static string? BufferNote(int requestedBytes, int grantedBytes) =>
        grantedBytes >= requestedBytes || grantedBytes <= 0 ? null
        : $"The system grants UDP sockets receive buffers of {grantedBytes} bytes instead of {requestedBytes}"
            +
            (OperatingSystem.IsLinux()
                ? $": sysctl -w net.core.rmem_max={requestedBytes} allows them (and wmem_max for sending)" : "");

    private static bool CanDoWithout(BindFailure failure) =>
        failure.Kind == BindFailureKind.AddressNotAvailable
        && (ServerOptions.DefaultListen.Contains(failure.EndPoint)
            || failure.EndPoint.Address.Equals(IPAddress.IPv6Loopback)
            || failure.EndPoint.Address.Equals(IPAddress.IPv6Any));
}
