namespace Dns.Transport.Streams;

/// <summary>
/// One connection, accepted or outgoing: a socket, or a layer such as TLS over another stream. One receive and one send
/// may run concurrently. Failures are values.
/// </summary>
/// <remarks>
/// An object serves one connection and is never reused, so a late <see cref="Close"/> cannot close another one. A
/// continuation runs on the thread that completes the operation.
/// </remarks>
public interface IByteStream
{
    /// <summary>The result of receives and sends after a failure.</summary>
    const int Failed = -1;

    /// <summary>The transport, as passed to responders: TCP, unless a layer says otherwise.</summary>
    DnsTransport Transport => DnsTransport.Tcp;

    /// <summary>Connects an outgoing stream, and completes any handshake. Once, before any other operation.</summary>
    /// <returns>False after a failure or close.</returns>
    ValueTask<bool> OpenAsync();

    /// <summary>Receives into a buffer, which belongs to the stream until the task has completed.</summary>
    /// <param name="room">If it is empty, the task completes with 0 once there is something to receive.</param>
    /// <returns>Octets; 0 at the end of the stream, <see cref="Failed"/> after a failure or close.</returns>
    ValueTask<int> ReceiveAsync(Memory<byte> room);

    /// <summary>
    /// Sends as much as possible without waiting. Octets that were taken are sent before later ones. After 0 the next
    /// send starts with the same octets.
    /// </summary>
    /// <returns>The number of octets taken, 0 if there is no room, or <see cref="Failed"/>.</returns>
    int TrySend(ReadOnlySpan<byte> octets) => 0;

    /// <summary>Waits until octets can be sent, and sends some; owns them until the task has completed.</summary>
    /// <returns>The number of octets, at least 1, or <see cref="Failed"/>.</returns>
    ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets);

    /// <summary>
    /// How many of the octets sent the peer has acknowledged; null if unknown or closed. Any thread; never throws.
    /// </summary>
    long? TakenOctets => null;

    /// <summary>
    /// Closes the stream; sent octets still arrive, pending operations fail. Any thread; idempotent; never throws.
    /// </summary>
    void Close();

    /// <summary>Returns rented resources. Once, after <see cref="Close"/>, when no operation is pending.</summary>
    void Release()
    {
    }
}
