namespace Dns.Features.Sockets;

/// <summary>Settings of UDP, section <c>Dns:Udp</c>.</summary>
/// <param name="ReceiveBufferBytes">The receive buffer of each socket; 0 = the default of the system.</param>
public sealed record UdpOptions(
    UdpListenerKind Listener = UdpListenerKind.Auto, int ReceiveBufferBytes = 4 * 1024 * 1024)
{
    /// <summary>The section.</summary>
    public static SettingsSection<UdpOptions> Section { get; } =
        new SettingsSection<UdpOptions>("Udp", "The UDP listener.", new())
        .Add("Listener", Choice<UdpListenerKind>(), o => o.Listener, (o, v) => o with { Listener = v },
            "The UDP receive loop. batched = recvmmsg and sendmmsg (Linux). auto = the fastest that the system has.",
            "portable")
        .Add("ReceiveBufferBytes", Number(0, 1 << 30, "bytes"),
            o => o.ReceiveBufferBytes, (o, v) => o with { ReceiveBufferBytes = v },
            "Socket receive buffer (SO_RCVBUF) of each UDP socket: datagrams that may wait in the kernel. 0 = the default of the system. The kernel grants at most net.core.rmem_max.", 8_388_608);
}
