namespace Dns.Transport;

/// <summary>Loops of listeners that survive exceptions, by their labels in metrics.</summary>
public static class TransportLoops
{
    /// <summary>Receiving and answering over UDP.</summary>
    public const string UdpReceive = "udp_receive";

    /// <summary>Accepting TCP connections.</summary>
    public const string TcpAccept = "tcp_accept";

    /// <summary>Receiving and answering on one TCP connection.</summary>
    public const string TcpConnection = "tcp_connection";

    /// <summary>The timer of TCP timeouts.</summary>
    public const string TcpTimer = "tcp_timer";

    /// <summary>The timer that polls conditions of the listeners.</summary>
    public const string ConditionTimer = "condition_timer";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<string> All { get; } =
        [UdpReceive, TcpAccept, TcpConnection, TcpTimer, ConditionTimer];
}
