namespace Dns.Transport;

/// <content>Which connection has been idle longest.</content>
/// <remarks>
/// The lists follow what the loops do only when somebody has to give way. Then the head of a list is looked at: a busy one
/// leaves the lists until it is idle again, one that was used meanwhile goes where its age belongs, and one that is still as
/// it was noted gives way. Each step is paid for by a query that came before, so that a flood of connections finds constant
/// work. The order is exact but for what would take more than 16 comparisons to place.
/// </remarks>
internal sealed partial class ConnectionTable
{
    // Loops go on while the lists are looked through: one that changes again and again must not hold up the table.
    private const int MoreLooks = 16;

    /// <summary>Takes the connection of a group that has been idle longest out of its idleness: it must leave. Under the lock.</summary>
    private static TcpConnection? TakeOldestIdle(ConnectionGroup group)
    {
        int looks = 2 * group.Count + MoreLooks;
        while (group.Idle.Oldest is TcpConnection oldest && looks-- > 0)
        {
            if (!oldest.Activity.IsIdle)
            {
                if (oldest.Activity.TryGoAway())
                {
                    Unlist(oldest);
                }
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

    /// <summary>Puts an idle connection into the lists. Under the lock.</summary>
    private static void List(TcpConnection connection)
    {
        if (connection.IsInIdleLists)
        {
            return;
        }

        connection.SeenTurns = connection.Activity.Turns;
        connection.SeenIdleSince = connection.Activity.IdleSince;
        connection.IsInIdleLists = true;
        foreach (ConnectionGroup group in connection.Groups)
        {
            group.Idle.AddByAge(connection);
        }
    }

    /// <summary>Takes a connection out of the lists. Under the lock.</summary>
    private static void Unlist(TcpConnection connection)
    {
        if (!connection.IsInIdleLists)
        {
            return;
        }

        connection.IsInIdleLists = false;
        foreach (ConnectionGroup group in connection.Groups)
        {
            group.Idle.Remove(connection);
        }
    }

    /// <summary>Has a connection idle that the lists have lost. False when it has been taken out.</summary>
    private bool TryReturn(TcpConnection connection)
    {
        lock (_gate)
        {
            if (!connection.Activity.TryReturn())
            {
                return false;
            }

            List(connection);
            return true;
        }
    }
}
