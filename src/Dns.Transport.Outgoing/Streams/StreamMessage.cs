namespace Dns.Transport.Outgoing.Streams;

/// <summary>The result of a receive on a <see cref="StreamClient"/>.</summary>
/// <param name="Octets">The message, valid until the next receive; empty unless the status is Done.</param>
public readonly record struct StreamMessage(StreamStatus Status, ReadOnlyMemory<byte> Octets);
