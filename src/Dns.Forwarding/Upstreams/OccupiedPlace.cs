namespace Dns.Forwarding;

/// <summary>Who has a place on one of several streams, and since when.</summary>
/// <param name="Client">The client that began the question; <see cref="PendingTry.NoClient"/> if none did.</param>
/// <param name="SentAt">Since when, in ticks of the clock.</param>
/// <param name="Path">Which of the streams.</param>
/// <param name="Id">The ID there.</param>
internal readonly record struct OccupiedPlace(int Client, long SentAt, int Path, ushort Id) : IComparable<OccupiedPlace>
{
    /// <summary>By client, then the oldest first.</summary>
    public int CompareTo(OccupiedPlace other) => Client != other.Client ? Client.CompareTo(other.Client) : SentAt.CompareTo(other.SentAt);

    /// <summary>
    /// Chooses who gives way to a query of a client: the oldest of that client, if it has as many as it may; else, if no place is
    /// left, the oldest of the client that has most.
    /// </summary>
    /// <param name="places">Those taken; sorted here.</param>
    /// <param name="client">The client.</param>
    /// <param name="most">The most of one client.</param>
    /// <param name="isFull">Whether no place is left.</param>
    /// <returns>Where it is in <paramref name="places"/>; -1 if none has to.</returns>
    internal static int ChooseWhoGivesWay(Span<OccupiedPlace> places, int client, int most, bool isFull)
    {
        places.Sort();
        int chosen = -1, chosenCount = 0;
        for (int at = 0, next; at < places.Length; at = next)
        {
            for (next = at + 1; next < places.Length && places[next].Client == places[at].Client; next++) ;
            int count = next - at;
            if (places[at].Client == client && count >= most) return at;
            bool isBefore = count > chosenCount || count == chosenCount && places[at].SentAt < places[chosen].SentAt;
            if (isFull && isBefore) (chosen, chosenCount) = (at, count);
        }
        return chosen;
    }
}
