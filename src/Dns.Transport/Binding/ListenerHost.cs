using System.Net.Sockets;

namespace Dns.Transport.Binding;

/// <summary>What listeners of all kinds share: options, inherited sockets, and connections with limits.</summary>
public sealed class ListenerHost
{
    internal ListenerHost(TransportOptions options, UdpListenerKind udpListener, TcpListeners connections)
    {
        Options = options;
        UdpListener = udpListener;
        Connections = connections;
    }

    /// <summary>The options. Limits and proxies may have changed since.</summary>
    public TransportOptions Options { get; }

    /// <summary>The limits on connections; a reload changes them.</summary>
    public TcpLimits Limits => Connections.Limits;

    /// <summary>Addresses of proxies; null = none. A reload changes them.</summary>
    public ClientNetworks? ProxyFrom => Connections.ProxyFrom;

    internal UdpListenerKind UdpListener { get; }

    internal TcpListeners Connections { get; }

    /// <summary>
    /// Binds a listener whose connections carry messages with a length prefix (RFC 7766), within the limits of TCP.
    /// </summary>
    /// <param name="layer">Added to each connection behind the header of a proxy; null = none.</param>
    /// <returns>Null after a failure.</returns>
    public IListener? TryBindStreams(ListenerAddress address, IStreamLayer? layer, out BindFailure? failure) =>
        TryBindSocket(address, out failure) is { } socket ? Connections.Add(socket, address, layer) : null;

    /// <summary>
    /// Admits a connection that another library serves: within the limits of TCP, with which it is counted.
    /// </summary>
    /// <param name="client">Behind a proxy its address counts, as over TCP.</param>
    /// <param name="close">Closes it: for another one, or at a stop. Any thread; once; must not throw.</param>
    /// <returns>To dispose when the connection has ended; null at a limit: the caller closes it.</returns>
    public HostedConnection? TryAdmit(in ClientAddress client, Action close) => Connections.TryAdmit(client, close);

    /// <summary>The listening TCP socket of an address, for a listener that accepts by itself.</summary>
    /// <returns>Inherited or bound, then owned by the caller; null after a failure.</returns>
    public Socket? TryBindSocket(ListenerAddress address, out BindFailure? failure)
    {
        failure = null;
        try
        {
            return ListenSocket.BindTcp(address, Limits, Options.Inherited);
        }
        catch (SocketException error)
        {
            failure = BindFailure.From(address, ProtocolType.Tcp, error);
            return null;
        }
    }
}
