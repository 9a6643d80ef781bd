namespace Dns.Transport.Outgoing.Streams;

/// <summary>
/// An outgoing connection: a socket, or TLS on top of one. One receive and one send may run concurrently. Failures are
/// values; disposal, from any thread, makes pending operations fail.
/// </summary>
public interface IOutgoingStream : IDisposable
{
    /// <summary>The result of a failed receive or send.</summary>
    const int Failed = -1;

    /// <summary>Connects, including any handshake. Called once, first.</summary>
    ValueTask<bool> ConnectAsync();

    /// <summary>Receives into a buffer, which belongs to the stream until the task has completed.</summary>
    /// <returns>The number of octets; 0 at the end of the stream, or <see cref="Failed"/>.</returns>
    ValueTask<int> ReceiveAsync(Memory<byte> room);

    /// <summary>Sends some of the octets, which belong to the stream until the task has completed.</summary>
    /// <returns>The number of octets, at least 1, or <see cref="Failed"/>.</returns>
    ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets);
}
