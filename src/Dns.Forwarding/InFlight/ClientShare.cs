namespace Dns.Forwarding.InFlight;

/// <summary>One waiter's share of its client: counters of <see cref="ClientShares"/>, to be returned.</summary>
/// <param name="Client">The counter of the address; also identifies the client of an upstream query.</param>
/// <param name="Network">
/// The counter of the IPv6 /64; also identifies it. For IPv4 a number above all counters: only the address is counted.
/// </param>
/// <param name="Question">The counter of client and question.</param>
internal readonly record struct ClientShare(int Client, int Network, int Question)
{
    /// <summary>No client, as of a prefetch.</summary>
    internal static ClientShare None => new(-1, -1, -1);

    internal bool HasNetwork => Network < ClientShares.Counters;
}
