namespace Dns.Replication;

/// <summary>
/// What a query for a transfer is answered with: one message that has been written, or a sequence; or neither, where the client gets
/// no transfer and the query is answered as by a server that has none.
/// </summary>
/// <param name="Octets">Length of the message; 0 if there is none.</param>
/// <param name="Sequence">The messages, which whoever has this sends or disposes; null if there is none.</param>
public readonly record struct TransferReply(int Octets, TransferSequence? Sequence);
