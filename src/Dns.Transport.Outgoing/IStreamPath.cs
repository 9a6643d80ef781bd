namespace Dns.Transport.Outgoing;

/// <summary>A stream to an upstream. Any thread may send.</summary>
public interface IStreamPath : IDisposable
{
    /// <summary>Copies octets into the queue of the stream, never waits.</summary>
    /// <returns>False if the stream has ended or its queue, of bounded length, is full.</returns>
    bool TrySend(ReadOnlySpan<byte> octets);
}
