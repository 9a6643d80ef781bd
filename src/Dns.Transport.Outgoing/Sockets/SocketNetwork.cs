using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Dns.Protocol;

namespace Dns.Transport.Outgoing;

/// <summary>Real sockets. Thread-safe; holds nothing itself.</summary>
/// <param name="exceptions">Where receive loops report unexpected exceptions; null = nowhere.</param>
public sealed class SocketNetwork(IExceptionSink? exceptions = null) : IOutgoingNetwork
{
    private readonly IExceptionSink _exceptions = exceptions ?? IExceptionSink.None;

    /// <inheritdoc/>
    public IDatagramPath? OpenDatagrams(IPEndPoint upstream, int localPort, IPathReceiver receiver)
    {
        Socket? socket = null;
        try
        {
            socket = new(upstream.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
            bool isIPv4 = upstream.AddressFamily == AddressFamily.InterNetwork;
            IgnorePathMtu(socket, isIPv4);
            socket.Bind(new IPEndPoint(isIPv4 ? IPAddress.Any : IPAddress.IPv6Any, localPort));
            socket.Connect(upstream);
            return new SocketDatagramPath(socket, receiver, _exceptions);
        }
        catch (SocketException)
        {
            // The port is taken, there is no route or no descriptor: values to the caller, who tries another way.
            socket?.Dispose();
            return null;
        }
    }

    /// <inheritdoc/>
    public IStreamPath OpenStream(IPEndPoint upstream, IPathReceiver receiver)
    {
        StreamPath path = new(new SocketStream(upstream), receiver, _exceptions);
        path.Start();
        return path;
    }

    /// <summary>
    /// Anybody can forge the ICMP message that a packet must be fragmented. Queries fit every path, so none is believed.
    /// </summary>
    private static void IgnorePathMtu(Socket socket, bool isIPv4)
    {
        if (!OperatingSystem.IsLinux())
        {
            // Elsewhere a router drops what it would cut.
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
            // An older kernel: fragments of queries stay possible.
        }
    }
}
