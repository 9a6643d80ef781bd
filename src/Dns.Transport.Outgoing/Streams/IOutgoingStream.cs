namespace Dns.Transport.Outgoing;

/// <summary>
/// The octets of one connection that we open: those of a socket, or those that TLS makes of them. A receive may run beside a
/// send, and no more than one of each. Failures are values; disposing it, from any thread, ends what waits with one.
/// </summary>
public interface IOutgoingStream : IDisposable
{
    /// <summary>What a receive or send returns after a failure.</summary>
    const int Failed = -1;

    /// <summary>Connects, with a handshake where there is one. Once, before anything else.</summary>
    /// <returns>Whether the stream stands.</returns>
    ValueTask<bool> ConnectAsync();

    /// <summary>Receives into the room, which belongs to the stream until the task has completed.</summary>
    /// <returns>How many octets; 0 at the end of the stream, or <see cref="Failed"/>.</returns>
    ValueTask<int> ReceiveAsync(Memory<byte> room);

    /// <summary>Sends some of the octets, which belong to the stream until the task has completed.</summary>
    /// <returns>How many, at least 1, or <see cref="Failed"/>.</returns>
    ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets);
}
