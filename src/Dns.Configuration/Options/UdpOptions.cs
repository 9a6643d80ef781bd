using Dns.Transport;

namespace Dns.Configuration;

/// <summary>Settings of UDP, section <c>Dns:Udp</c>.</summary>
internal sealed class UdpOptions
{
    /// <summary>Which receive loop to use.</summary>
    public UdpListenerKind Listener { get; set; } = UdpListenerKind.Auto;

    /// <summary>
    /// What the system is asked to hold of datagrams that wait, in bytes for each socket, 0 = the system's default.
    /// Bursts that do not fit are lost; the system may grant less.
    /// </summary>
    public int ReceiveBufferBytes { get; set; } = 4 * 1024 * 1024;
}
