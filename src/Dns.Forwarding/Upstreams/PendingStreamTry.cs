namespace Dns.Forwarding.Upstreams;

/// <summary>A pending try on one of several streams.</summary>
/// <param name="Client">The client of the query; <see cref="PendingTry.NoClient"/> if there is none.</param>
/// <param name="SentAt">When it was sent, in ticks of the clock.</param>
/// <param name="Path">The index of the stream.</param>
internal readonly record struct PendingStreamTry(int Client, long SentAt, int Path,
    ushort Id) : IComparable<PendingStreamTry>
{
    /// <summary>By client, then oldest first.</summary>
    public int CompareTo(PendingStreamTry other) =>
        Client != other.Client ? Client.CompareTo(other.Client) : SentAt.CompareTo(other.SentAt);

    /// <summary>
    /// Chooses the try to evict for a new one: the client's oldest if the client is at its limit; else, if all slots
    /// are taken, the oldest of the client with most tries.
    /// </summary>
    /// <param name="tries">The pending tries; sorted here.</param>
    /// <param name="most">The maximum of one client.</param>
    /// <returns>The index in <paramref name="tries"/>; -1 for none.</returns>
    internal static int ChooseEvicted(Span<PendingStreamTry> tries, int client, int most, bool isFull)
    {
        tries.Sort();
        int chosen = -1, chosenCount = 0;
        for (int at = 0, next; at < tries.Length; at = next)
        {
            for (next = at + 1; next < tries.Length && tries[next].Client == tries[at].Client; next++) ;
            int count = next - at;
            if (tries[at].Client == client && count >= most) return at;
            bool isBefore = count > chosenCount || count == chosenCount && tries[at].SentAt < tries[chosen].SentAt;
            if (isFull && isBefore) (chosen, chosenCount) = (at, count);
        }
        return chosen;
    }
}
