namespace Dns.Transport.Outgoing;

/// <summary>A stream to an upstream. Any thread may send.</summary>
public interface IStreamPath : IDisposable
{
    /// <summary>Copies octets into the send queue without waiting.</summary>
    /// <returns>False if the stream has ended or its bounded queue is full.</returns>
    bool TrySend(ReadOnlySpan<byte> octets);
}
