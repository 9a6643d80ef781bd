namespace Dns.Forwarding.Upstreams;

/// <summary>A pending try on one of several streams.</summary>
/// <param name="Network">The client's network, as in <see cref="ClientShare.Network"/>.</param>
/// <param name="Client">The client of the query, as in <see cref="ClientShare.Client"/>.</param>
/// <param name="SentAt">When it was sent, in ticks of the clock.</param>
/// <param name="Path">The index of the stream.</param>
internal readonly record struct PendingStreamTry(int Network, int Client, long SentAt, int Path,
    ushort Id) : IComparable<PendingStreamTry>
{
    /// <summary>By network, then by client, then oldest first.</summary>
    public int CompareTo(PendingStreamTry other) => Network != other.Network ? Network.CompareTo(other.Network)
        : Client != other.Client ? Client.CompareTo(other.Client) : SentAt.CompareTo(other.SentAt);

    /// <summary>
    /// Chooses the try to evict for a new one: of the new one's network if that is at its limit; else, if all slots are
    /// taken, of the network with most tries. Of a network it is the oldest of the client with most.
    /// </summary>
    /// <param name="tries">The pending tries; sorted here.</param>
    /// <param name="most">The maximum of one network.</param>
    /// <returns>The index in <paramref name="tries"/>; -1 for none.</returns>
    internal static int ChooseEvicted(Span<PendingStreamTry> tries, int network, int most, bool isFull)
    {
        tries.Sort();
        int chosen = -1, chosenCount = 0;
        for (int at = 0, next; at < tries.Length; at = next)
        {
            for (next = at + 1; next < tries.Length && tries[next].Network == tries[at].Network; next++) ;
            int count = next - at;
            bool isAtLimit = tries[at].Network == network && count >= most;
            if (!isAtLimit && (!isFull || count < chosenCount)) continue;
            int oldest = at + OldestOfMost(tries[at..next]);
            if (isAtLimit) return oldest;
            bool isBefore = count > chosenCount || tries[oldest].SentAt < tries[chosen].SentAt;
            if (isBefore) (chosen, chosenCount) = (oldest, count);
        }
        return chosen;
    }

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
