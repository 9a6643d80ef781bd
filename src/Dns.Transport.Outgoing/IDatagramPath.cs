namespace Dns.Transport.Outgoing;

/// <summary>A connected datagram socket. Any thread may send.</summary>
public interface IDatagramPath : IDisposable
{
    /// <summary>The local address and port.</summary>
    IPEndPoint Local { get; }

    /// <summary>Sends a datagram without waiting. A full send queue loses the datagram and is not a failure.</summary>
    /// <returns>False if it cannot be sent: no route, no permission.</returns>
    bool TrySend(ReadOnlySpan<byte> message, out NetworkFault? fault);
}
