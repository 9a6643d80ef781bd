namespace Dns.Transport.Outgoing;

/// <summary>
/// A network to other servers: real sockets, or a script in tests. A path calls its receiver from one thread at a time,
/// never from within a call here, and never after the path was disposed and the current call has returned.
/// </summary>
public interface IOutgoingNetwork
{
    /// <summary>
    /// Whether operations complete on threads that serve clients as well, which long work must not hold up.
    /// </summary>
    bool CompletesOnSharedThreads => false;

    /// <summary>Opens a connected datagram socket, which receives from the server's address and port only.</summary>
    /// <param name="server">Of a scheme that has datagrams.</param>
    /// <param name="localPort">The local port; 0 = chosen by the system.</param>
    /// <param name="fault">Why the system refuses, if so: port in use, no descriptor left, no route.</param>
    /// <returns>Null if the system refuses.</returns>
    IDatagramPath? OpenDatagrams(
        PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault);

    /// <summary>Makes a stream to a server; <see cref="IByteStream.OpenAsync"/> connects it.</summary>
    IByteStream MakeStream(PeerAddress server);
}
