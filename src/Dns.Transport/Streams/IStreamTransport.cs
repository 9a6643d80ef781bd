namespace Dns.Transport.Streams;

/// <summary>
/// One connection: a socket, or TLS on top of one. One receive and one send may run concurrently. Failures are values.
/// </summary>
/// <remarks>
/// A handshake is part of the first receive. An object serves one connection and is never reused, so a late
/// <see cref="Close"/> cannot close another one.
/// </remarks>
internal interface IStreamTransport
{
    /// <summary>The result of receives and sends after a failure.</summary>
    const int Failed = -1;

    /// <summary>The transport as passed to responders.</summary>
    DnsTransport Transport { get; }

    /// <summary>Receives into a buffer, which belongs to the transport until the task has completed.</summary>
    /// <returns>Octets; 0 at the end of the stream, <see cref="Failed"/> after a failure or close.</returns>
    ValueTask<int> ReceiveAsync(Memory<byte> room);

    /// <summary>Sends as much as possible without waiting.</summary>
    /// <returns>The number of octets, 0 if the send buffer is full, or <see cref="Failed"/>.</returns>
    int TrySend(ReadOnlySpan<byte> octets);

    /// <summary>Waits until octets can be sent, and sends some; owns them until the task has completed.</summary>
    /// <returns>The number of octets, at least 1, or <see cref="Failed"/>.</returns>
    ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets);

    /// <summary>Octets acknowledged by the peer; null if unknown or closed. Any thread; never throws.</summary>
    long? TakenOctets { get; }

    /// <summary>
    /// Closes the stream; sent octets still arrive, pending operations fail. Any thread; idempotent; never throws.
    /// </summary>
    void Close();

    /// <summary>Returns rented resources. Once, after <see cref="Close"/>, when no operation is pending.</summary>
    void Release();
}
