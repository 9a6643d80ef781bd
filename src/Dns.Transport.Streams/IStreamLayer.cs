namespace Dns.Transport.Streams;

/// <summary>Makes streams over other ones, accepted or outgoing, such as TLS. Thread-safe.</summary>
public interface IStreamLayer
{
    /// <summary>Makes the stream of a connection without waiting: <see cref="IByteStream.OpenAsync"/> does.</summary>
    /// <param name="inner">
    /// Owned by the new stream, unless this throws. The new stream passes each call on, first of all
    /// <see cref="IByteStream.OpenAsync"/>, which connects an outgoing stream.
    /// </param>
    /// <param name="peer">The other side; behind a proxy the client.</param>
    /// <param name="buffers">For what the stream holds while it waits: the bounds of a listener count it.</param>
    IByteStream Open(IByteStream inner, in ClientAddress peer, IStreamBuffers buffers);
}
