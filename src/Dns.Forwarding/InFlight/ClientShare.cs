namespace Dns.Forwarding;

/// <summary>What one waiter takes of its client's room, to be given back: two counters of <see cref="ClientShares"/>.</summary>
/// <param name="Client">That of the client; also says which client began a query to an upstream.</param>
/// <param name="Question">That of the client and question.</param>
internal readonly record struct ClientShare(int Client, int Question);
