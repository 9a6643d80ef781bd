namespace Dns.Transport.Outgoing;

/// <summary>Receives from an upstream. Must not block or throw.</summary>
public interface IPathReceiver
{
    /// <summary>
    /// A datagram, the beginning of a long one, or the next octets of a stream; valid during the call only.
    /// </summary>
    void Receive(ReadOnlySpan<byte> octets);

    /// <summary>Called once: the stream could not be opened or has ended.</summary>
    void End();
}
