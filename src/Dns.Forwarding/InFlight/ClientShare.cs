namespace Dns.Forwarding.InFlight;

/// <summary>One waiter's share of its client: two counters of <see cref="ClientShares"/>, to be returned.</summary>
/// <param name="Client">The client's counter; also identifies the client of an upstream query.</param>
/// <param name="Question">The counter of client and question.</param>
internal readonly record struct ClientShare(int Client, int Question);
