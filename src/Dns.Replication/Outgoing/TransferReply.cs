namespace Dns.Replication.Outgoing;

/// <summary>The answer to a transfer query: a message, a sequence, or neither to answer as without transfers.</summary>
/// <param name="Octets">Length of the message; 0 if there is none.</param>
/// <param name="Sequence">The messages, owned by the caller; null if there is none.</param>
public readonly record struct TransferReply(int Octets, TransferSequence? Sequence);
