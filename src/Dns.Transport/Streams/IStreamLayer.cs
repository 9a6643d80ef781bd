using System.Net.Sockets;

namespace Dns.Transport.Streams;

/// <summary>Makes the streams of a kind of listener. Thread-safe.</summary>
internal interface IStreamLayer
{
    /// <summary>Makes the stream of a connection without waiting: a handshake is part of the first receive.</summary>
    /// <param name="socket">Non-blocking; owned by the stream, unless this throws.</param>
    IStreamTransport Open(Socket socket);
}
