namespace Dns.Transport.Outgoing;

/// <summary>What a receive of a <see cref="StreamClient"/> brought.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Octets">The message where it was <see cref="StreamStatus.Done"/>, valid until the next receive; else empty.</param>
public readonly record struct StreamMessage(StreamStatus Status, ReadOnlyMemory<byte> Octets);
