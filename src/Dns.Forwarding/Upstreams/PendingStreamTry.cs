namespace Dns.Forwarding.Upstreams;

/// <summary>A pending try on one of several streams.</summary>
/// <param name="IsProven">Whether a client whose address is proven waits for it.</param>
/// <param name="Network">The client's network, as in <see cref="ClientShare.Network"/>.</param>
/// <param name="Client">The client of the query, as in <see cref="ClientShare.Client"/>.</param>
/// <param name="SentAt">When it was sent, in ticks of the clock.</param>
/// <param name="Path">The index of the stream.</param>
internal readonly record struct PendingStreamTry(bool IsProven, int Network, int Client, long SentAt, int Path,
    ushort Id) : IComparable<PendingStreamTry>
{
    /// <summary>The proven ones last; by network, then by client, then oldest first.</summary>
    public int CompareTo(PendingStreamTry other) => IsProven != other.IsProven ? IsProven.CompareTo(other.IsProven)
        : Network != other.Network ? Network.CompareTo(other.Network)
        : Client != other.Client ? Client.CompareTo(other.Client) : SentAt.CompareTo(other.SentAt);

    /// <summary>
    /// Chooses the try to evict for a new one: of the new one's network if that is at its limit; else, if all slots are
    /// taken, of the network with most tries. Of a network it is the oldest of the client with most. Tries of clients
    /// whose addresses are not proven count apart, are evicted before the others, and evict none of them.
    /// </summary>
    /// <param name="tries">The pending tries; sorted here.</param>
    /// <param name="isProven">Whether a client whose address is proven waits for the new one.</param>
    /// <param name="most">The maximum of one network.</param>
    /// <returns>The index in <paramref name="tries"/>; -1 for none.</returns>
    internal static int ChooseEvicted(Span<PendingStreamTry> tries, bool isProven, int network, int most, bool isFull)
    {
        tries.Sort();
        int chosen = -1, chosenCount = 0;
        for (int at = 0, next; at < tries.Length; at = next)
        {
            PendingStreamTry first = tries[at];
            for (next = at + 1; next < tries.Length && first.IsAlike(in tries[next]); next++) ;
            int count = next - at;
            bool isAtLimit = first.Network == network && count >= most;
            bool isEvictable = isFull && (!first.IsProven || isProven && (chosen < 0 || tries[chosen].IsProven));
            if (!isAtLimit && (!isEvictable || count < chosenCount)) continue;
            int oldest = at + OldestOfMost(tries[at..next]);
            if (isAtLimit) return oldest;
            bool isBefore = count > chosenCount || tries[oldest].SentAt < tries[chosen].SentAt;
            if (isBefore) (chosen, chosenCount) = (oldest, count);
        }
        return chosen;
    }

    private bool IsAlike(in PendingStreamTry other) => IsProven == other.IsProven && Network == other.Network;

    /// <summary>The index of the oldest try of the client with most.</summary>
    /// <param name="network">The tries of one network, sorted.</param>
    private static int OldestOfMost(ReadOnlySpan<PendingStreamTry> network)
    {
        int chosen = 0, chosenCount = 0;
        for (int at = 0, next; at < network.Length; at = next)
        {
            for (next = at + 1; next < network.Length && network[next].Client == network[at].Client; next++) ;
            int count = next - at;
            bool isBefore =
                count > chosenCount || count == chosenCount && network[at].SentAt < network[chosen].SentAt;
            if (isBefore) (chosen, chosenCount) = (at, count);
        }
        return chosen;
    }
}
