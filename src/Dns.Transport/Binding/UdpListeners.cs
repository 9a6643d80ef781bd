namespace Dns.Transport.Binding;

/// <summary>Chooses the UDP listener.</summary>
internal static class UdpListeners
{
    /// <summary>The configured listener, as far as this system supports it.</summary>
    public static UdpListenerKind Choose(UdpListenerKind requested) =>
        requested != UdpListenerKind.Portable && OperatingSystem.IsLinux() && LinuxSocketCalls.AreAvailable()
            ? UdpListenerKind.Batched : UdpListenerKind.Portable;

    /// <summary>Why another kind was chosen; else null.</summary>
    public static string? Explain(UdpListenerKind requested, UdpListenerKind chosen) => requested switch
    {
        _ when chosen == UdpListenerKind.Batched || requested == UdpListenerKind.Portable => null,
        _ when OperatingSystem.IsLinux() =>
            "recvmmsg or sendmmsg is not available here; using the portable UDP listener",
        UdpListenerKind.Batched => "the batched UDP listener needs Linux; using the portable one",
        _ => null,
    };

    /// <summary>Binds the listener of one address. Throws SocketException.</summary>
    public static IUdpListener Bind(UdpListenerKind kind, IPEndPoint endPoint, TransportOptions options) =>
        OperatingSystem.IsLinux() && kind == UdpListenerKind.Batched
            ? BatchedUdpListener.Bind(endPoint, options)
            : PortableUdpListener.Bind(endPoint, options);
}
