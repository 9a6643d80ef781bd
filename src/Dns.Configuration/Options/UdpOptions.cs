namespace Dns.Configuration.Options;

/// <summary>Settings of UDP, section <c>Dns:Udp</c>.</summary>
internal sealed class UdpOptions
{
    /// <summary>Which receive loop to use.</summary>
    public UdpListenerKind Listener { get; set; } = UdpListenerKind.Auto;

    /// <summary>
    /// The requested receive buffer of each socket, in bytes; 0 = the default of the system.
    /// Bursts that do not fit are lost; the system may grant less.
    /// </summary>
    public int ReceiveBufferBytes { get; set; } = 4 * 1024 * 1024;
}
