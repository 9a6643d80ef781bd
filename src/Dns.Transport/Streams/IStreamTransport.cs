using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// The octets of one connection, in both directions: those of the socket, or those that TLS makes of them. A receive may run
/// beside a send, and no more than one of each. Failures are values.
/// </summary>
/// <remarks>
/// A handshake, where there is one, is part of the first receive. The object serves one connection and is not used again, so
/// that a late <see cref="Close"/> meets nobody else.
/// </remarks>
internal interface IStreamTransport
{
    /// <summary>What <see cref="ReceiveAsync"/>, <see cref="SendAsync"/> and <see cref="TrySend"/> return after a failure.</summary>
    const int Failed = -1;

    /// <summary>What responders are told of it.</summary>
    DnsTransport Transport { get; }

    /// <summary>Receives into the room, which belongs to the transport until the task has completed.</summary>
    /// <returns>How many octets; 0 at the end of the stream, <see cref="Failed"/> when it has failed or was closed.</returns>
    ValueTask<int> ReceiveAsync(Memory<byte> room);

    /// <summary>Sends what can be sent without waiting. The octets are the caller's again on return.</summary>
    /// <returns>How many octets, 0 when it has to be waited for, or <see cref="Failed"/>.</returns>
    int TrySend(ReadOnlySpan<byte> octets);

    /// <summary>Waits until the peer takes octets, and sends some; they belong to the transport until the task has completed.</summary>
    /// <returns>How many octets, at least 1, or <see cref="Failed"/>.</returns>
    ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets);

    /// <summary>
    /// Octets that the peer's system has taken so far, as far as it has said so; null where that is not known. From any thread
    /// before <see cref="Close"/>.
    /// </summary>
    long? TakenOctets { get; }

    /// <summary>
    /// Ends the stream in order, so that what was sent still arrives. From any thread, any number of times; what waits
    /// completes with a failure. Never throws.
    /// </summary>
    void Close();

    /// <summary>Gives back what the transport has rented. Called once, after <see cref="Close"/>, when nothing waits any more.</summary>
    void Release();
}
