using System.Net;
using System.Net.Sockets;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>Real sockets. Thread-safe; holds nothing itself.</summary>
/// <param name="exceptions">Where receive loops report unexpected exceptions; null = nowhere.</param>
public sealed class SocketNetwork(IExceptionSink? exceptions = null) : IUpstreamNetwork
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
            // Queries are small: a router that would cut them is told so, and no fragment of ours can be replaced on its way.
            if (isIPv4) socket.DontFragment = true;
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
        Socket? socket = null;
        try
        {
            socket = new(upstream.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        }
        catch (SocketException)
        {
            // No descriptor is left: an attempt that failed.
            socket?.Dispose();
            socket = null;
        }
        SocketStreamPath path = new(socket, upstream, receiver, _exceptions);
        path.Start();
        return path;
    }
}
