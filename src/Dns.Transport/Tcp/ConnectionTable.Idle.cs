namespace Dns.Transport.Tcp;

/// <content>Finds the connection idle for longest.</content>
/// <remarks>
/// The lists are brought up to date only when a connection must be evicted. The head of a list is then examined: a busy
/// one leaves the lists until it is idle again, one used meanwhile moves to its age, and an unchanged one is evicted.
/// Each step is amortised by an earlier query, so a flood of connections costs constant time each. The order is exact,
/// except where placing takes more than 16 comparisons.
/// </remarks>
internal sealed partial class ConnectionTable
{
    // Loops run concurrently: a connection that keeps changing must not hold up the table.
    private const int MoreLooks = 16;

    /// <summary>Removes the connection of a group that is idle for longest. Under the lock.</summary>
    private static TcpConnection? TakeOldestIdle(ConnectionGroup group)
    {
        int looks = 2 * group.Count + MoreLooks;
        while (group.Idle.Oldest is TcpConnection oldest && looks-- > 0)
        {
            if (!oldest.Activity.IsIdle)
            {
                if (oldest.Activity.TryGoAway()) Unlist(oldest);
            }
            else if (oldest.Activity.Turns != oldest.SeenTurns)
            {
                Unlist(oldest);
                List(oldest);
            }
            else if (oldest.Activity.TryTakeIdle())
            {
                return oldest;
            }
        }
        return null;
    }

    /// <summary>Adds an idle connection to the lists. Under the lock.</summary>
    private static void List(TcpConnection connection)
    {
        if (connection.IsInIdleLists) return;
        connection.SeenTurns = connection.Activity.Turns;
        connection.SeenIdleSince = connection.Activity.IdleSince;
        connection.IsInIdleLists = true;
        foreach (ConnectionGroup group in connection.Groups) group.Idle.AddByAge(connection);
    }

    /// <summary>Removes a connection from the lists. Under the lock.</summary>
    private static void Unlist(TcpConnection connection)
    {
        if (!connection.IsInIdleLists) return;
        connection.IsInIdleLists = false;
        foreach (ConnectionGroup group in connection.Groups) group.Idle.Remove(connection);
    }

    /// <summary>Makes a connection idle that is not in the lists. False if it was removed.</summary>
    private bool TryReturn(TcpConnection connection)
    {
        lock (_gate)
        {
            if (!connection.Activity.TryReturn()) return false;
            List(connection);
            return true;
        }
    }
}
