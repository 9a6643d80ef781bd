namespace Dns.Transport.Outgoing;

/// <summary>The result of a receive on a <see cref="StreamClient"/>.</summary>
/// <param name="Octets">
/// The message if <see cref="StreamStatus.Done"/>, valid until the next receive; else empty.
/// </param>
public readonly record struct StreamMessage(StreamStatus Status, ReadOnlyMemory<byte> Octets);
