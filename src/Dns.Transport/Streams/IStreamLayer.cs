using System.Net.Sockets;

namespace Dns.Transport;

/// <summary>What a kind of listener puts between the socket of a connection and its messages. Thread-safe.</summary>
internal interface IStreamLayer
{
    /// <summary>Makes the stream of a connection that was accepted. It does not wait: a handshake comes with the first receive.</summary>
    /// <param name="socket">Non-blocking; the stream's from now on, unless this throws.</param>
    IStreamTransport Open(Socket socket);
}
