namespace Dns.Transport.Outgoing;

/// <summary>
/// The network to upstreams: real sockets, or a script in tests. A path calls its receiver from one thread at a time,
/// never from within a call here, and never after the path was disposed and the current call has returned.
/// </summary>
public interface IOutgoingNetwork
{
    /// <summary>Opens a connected datagram socket, which receives from the upstream's address and port only.</summary>
    /// <param name="localPort">The local port; 0 = chosen by the system.</param>
    /// <param name="fault">Why the system refuses, if so: port in use, no descriptor left, no route.</param>
    /// <returns>Null if the system refuses.</returns>
    IDatagramPath? OpenDatagrams(
        IPEndPoint upstream, int localPort, IPathReceiver receiver, out NetworkFault? fault);

    /// <summary>Makes a stream to a server; <see cref="IByteStream.OpenAsync"/> connects it.</summary>
    IByteStream MakeStream(IPEndPoint server);
}
