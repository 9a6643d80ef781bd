using System.Net;

namespace Dns.Transport.Outgoing;

/// <summary>How octets get to upstreams and back: real sockets, or a script in tests.</summary>
/// <remarks>
/// A receiver is called by one thread at a time for each path, from within none of the calls here, and never after the
/// path was disposed and the call under way has returned.
/// </remarks>
public interface IOutgoingNetwork
{
    /// <summary>Opens a datagram socket that is connected: only what comes from the upstream's address and port arrives.</summary>
    /// <param name="upstream">Address and port of the upstream.</param>
    /// <param name="localPort">The port to send from; 0 = the system's choice.</param>
    /// <param name="receiver">Gets the datagrams.</param>
    /// <returns>Null if the system refuses: the port is taken, no descriptor is left, no route.</returns>
    IDatagramPath? OpenDatagrams(IPEndPoint upstream, int localPort, IPathReceiver receiver);

    /// <summary>Begins to connect a stream; what is sent before it stands goes out when it does.</summary>
    /// <param name="upstream">Address and port of the upstream.</param>
    /// <param name="receiver">Gets the octets in any pieces, and the end: also that of an attempt that failed.</param>
    IStreamPath OpenStream(IPEndPoint upstream, IPathReceiver receiver);
}
