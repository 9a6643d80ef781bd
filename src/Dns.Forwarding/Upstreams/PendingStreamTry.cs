namespace Dns.Forwarding.Upstreams;

/// <summary>A pending try on one of several streams.</summary>
/// <param name="Owner">The client that its query counts for.</param>
/// <param name="SentAt">When it was sent, in ticks of the clock.</param>
/// <param name="Path">The index of the stream.</param>
internal readonly record struct PendingStreamTry(QueryOwner Owner, long SentAt, int Path, ushort Id)
    : IComparable<PendingStreamTry>
{
    /// <summary>One slot in so many is for clients whose addresses are proven.</summary>
    private const int ProvenPart = 8;

    private bool IsProven => Owner.IsProven;

    /// <summary>The proven ones last; by network, then by client, then oldest first.</summary>
    public int CompareTo(PendingStreamTry other) => IsProven != other.IsProven ? IsProven.CompareTo(other.IsProven)
        : Owner.Network != other.Owner.Network ? Owner.Network.CompareTo(other.Owner.Network)
        : Owner.Client != other.Owner.Client ? Owner.Client.CompareTo(other.Owner.Client)
        : SentAt.CompareTo(other.SentAt);

    /// <summary>
    /// Chooses the try to evict for a new one: of the new one's network if that is at its limit; else, if all slots are
    /// taken, of the network with most tries. Of a network it is the oldest of the client with most. Tries of clients
    /// whose addresses are not proven count apart, take no more than seven eighths of the slots, are evicted before the
    /// others, and evict none of them.
    /// </summary>
    /// <param name="tries">The pending tries; sorted here.</param>
    /// <param name="owner">The client of the new one.</param>
    /// <param name="most">The maximum of one network.</param>
    /// <param name="slots">The number of slots.</param>
    /// <returns>The index in <paramref name="tries"/>; -1 for none.</returns>
    internal static int ChooseEvicted(Span<PendingStreamTry> tries, QueryOwner owner, int most, int slots)
    {
        tries.Sort();
        int unproven = 0;
        while (unproven < tries.Length && !tries[unproven].IsProven) unproven++;
        bool isFull = tries.Length >= slots || !owner.IsProven && unproven >= slots - slots / ProvenPart;
        bool evictsProven = owner.IsProven && unproven == 0;
        int chosen = -1, chosenCount = 0;
        for (int at = 0, next; at < tries.Length; at = next)
        {
            PendingStreamTry first = tries[at];
            for (next = at + 1; next < tries.Length && first.IsAlike(tries[next].Owner); next++) ;
            int count = next - at;
            bool isAtLimit = first.IsAlike(owner) && count >= most;
            bool isEvictable = isFull && (evictsProven || !first.IsProven);
            if (!isAtLimit && (!isEvictable || count < chosenCount)) continue;
            int oldest = at + OldestOfMost(tries[at..next]);
            if (isAtLimit) return oldest;
            bool isBefore = count > chosenCount || tries[oldest].SentAt < tries[chosen].SentAt;
            if (isBefore) (chosen, chosenCount) = (oldest, count);
        }
        return chosen;
    }

    private bool IsAlike(QueryOwner other) => IsProven == other.IsProven && Owner.Network == other.Network;

    /// <summary>The index of the oldest try of the client with most.</summary>
    /// <param name="network">The tries of one network, sorted.</param>
    private static int OldestOfMost(ReadOnlySpan<PendingStreamTry> network)
    {
        int chosen = 0, chosenCount = 0;
        for (int at = 0, next; at < network.Length; at = next)
        {
            int client = network[at].Owner.Client;
            for (next = at + 1; next < network.Length && network[next].Owner.Client == client; next++) ;
            int count = next - at;
            bool isBefore =
                count > chosenCount || count == chosenCount && network[at].SentAt < network[chosen].SentAt;
            if (isBefore) (chosen, chosenCount) = (at, count);
        }
        return chosen;
    }
}
