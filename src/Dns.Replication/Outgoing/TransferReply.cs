namespace Dns.Replication;

/// <summary>What a query for a transfer is answered with: one message that has been written, or a sequence.</summary>
/// <param name="Octets">Length of the message; 0 if there is a sequence.</param>
/// <param name="Sequence">The messages, which whoever has this sends or disposes; null if there is one message.</param>
public readonly record struct TransferReply(int Octets, ZoneSequence? Sequence);
