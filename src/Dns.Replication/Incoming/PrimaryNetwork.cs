using System.Net;
using Dns.Transport.Outgoing;

namespace Dns.Replication;

/// <summary>How messages get to primaries and back: real sockets, or a script in tests.</summary>
/// <param name="Datagrams">For queries for the serial.</param>
/// <param name="OpenStream">Makes a connection that is not open yet, for transfers.</param>
public sealed record PrimaryNetwork(IOutgoingNetwork Datagrams, Func<IPEndPoint, IOutgoingStream> OpenStream)
{
    /// <summary>Real sockets.</summary>
    public static PrimaryNetwork Sockets { get; } = new(new SocketNetwork(), static server => new SocketStream(server));
}
