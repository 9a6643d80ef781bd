using System.Net;

namespace Dns.Transport.Outgoing;

/// <summary>A connected datagram socket. Any thread may send.</summary>
public interface IDatagramPath : IDisposable
{
    /// <summary>Our own address and port.</summary>
    IPEndPoint Local { get; }

    /// <summary>Sends a datagram, never waits. A full queue of the system is a lost datagram, not a failure.</summary>
    /// <returns>False if it cannot be sent at all: no route, no permission.</returns>
    bool TrySend(ReadOnlySpan<byte> message);
}
