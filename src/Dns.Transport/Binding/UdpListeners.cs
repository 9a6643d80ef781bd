namespace Dns.Transport.Binding;

/// <summary>Chooses the UDP listener.</summary>
internal static class UdpListeners
{
    /// <summary>The configured listener, as far as this system supports it.</summary>
    /// <param name="note">Why another kind was chosen; else null.</param>
    public static UdpListenerKind Choose(UdpListenerKind requested, out string? note)
    {
        note = null;
        if (requested == UdpListenerKind.Portable) return UdpListenerKind.Portable;

        if (OperatingSystem.IsLinux())
        {
            if (LinuxSocketCalls.AreAvailable()) return UdpListenerKind.Batched;

            note = "recvmmsg or sendmmsg is not available here; using the portable UDP listener";
        }
        else if (requested == UdpListenerKind.Batched)
        {
            note = "the batched UDP listener needs Linux; using the portable one";
        }

        return UdpListenerKind.Portable;
    }

    /// <summary>Binds the listener of one address. Throws SocketException.</summary>
    public static IUdpListener Bind(UdpListenerKind kind, IPEndPoint endPoint, TransportOptions options) =>
        OperatingSystem.IsLinux() && kind == UdpListenerKind.Batched
            ? BatchedUdpListener.Bind(endPoint, options)
            : PortableUdpListener.Bind(endPoint, options);
}
