using System.Net.Sockets;

namespace Dns.Transport.Outgoing.Sockets;

/// <summary>Real sockets, for plain servers. Thread-safe; stateless.</summary>
/// <param name="exceptions">Receives unexpected exceptions of receive loops; null = none.</param>
public sealed class SocketNetwork(IExceptionSink? exceptions = null) : IOutgoingNetwork
{
    private readonly IExceptionSink _exceptions = exceptions ?? IExceptionSink.None;

    /// <inheritdoc/>
    public bool CompletesOnSharedThreads => true;

    /// <inheritdoc/>
    public IDatagramPath? OpenDatagrams(
        PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault)
    {
        fault = null;
        IPEndPoint address = server.EndPoint;
        Socket? socket = null;
        bool isBinding = false;
        try
        {
            socket = new(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
            bool isIPv4 = address.AddressFamily == AddressFamily.InterNetwork;
            IgnorePathMtu(socket, isIPv4);
            isBinding = true;
            socket.Bind(new IPEndPoint(isIPv4 ? IPAddress.Any : IPAddress.IPv6Any, localPort));
            isBinding = false;
            socket.Connect(address);
            return new SocketDatagramPath(socket, receiver, _exceptions);
        }
        catch (SocketException error)
        {
            // Port in use, no route or no descriptor: a value for the caller, which tries another way.
            socket?.Dispose();
            fault = SocketFault.Of(error.SocketErrorCode, isBinding);
            return null;
        }
    }

    /// <inheritdoc/>
    public IByteStream MakeStream(PeerAddress server) => new SocketStream(server.EndPoint);

    /// <summary>Ignores ICMP messages about the path MTU, which can be forged. Queries fit every path.</summary>
    private static void IgnorePathMtu(Socket socket, bool isIPv4)
    {
        if (!OperatingSystem.IsLinux())
        {
            // Elsewhere DF makes a router drop the packet instead of fragmenting it.
            if (isIPv4) socket.DontFragment = true;
            return;
        }
        int omit = 5;
        (int level, int option) = isIPv4 ? (0, 10) : (41, 23);
        try
        {
            // IP_MTU_DISCOVER and IPV6_MTU_DISCOVER, Linux 3.15.
            socket.SetRawSocketOption(level, option, MemoryMarshal.AsBytes(new ReadOnlySpan<int>(in omit)));
        }
        catch (SocketException)
        {
            // An older kernel: queries may be fragmented.
        }
    }
}
