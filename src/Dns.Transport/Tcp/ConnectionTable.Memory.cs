namespace Dns.Transport.Tcp;

/// <content>Finds the connection that is evicted for memory.</content>
/// <remarks>
/// It is of the heaviest prefix, of that the heaviest client, of that the one that has held more than a small buffer
/// for longest. So a client keeps what it holds while its prefix holds less than another, regardless of which rental
/// exceeds the bound. A connection counts as its octets if it holds more than a small buffer, else as its receive
/// buffer, since small buffers come and go with queries, which take no lock. A change takes logarithmic time.
/// </remarks>
internal sealed partial class ConnectionTable
{
    /// <summary>Removes a connection of the client that holds most, of the prefix that holds most.</summary>
    /// <param name="mayBeSmall">
    /// Whether to remove one of that client that holds a small buffer only, an idle one first, if there is no other.
    /// </param>
    /// <param name="held">Octets that it holds until it ends.</param>
    public IByteStream? TakeHeaviest(bool mayBeSmall, out int held)
    {
        lock (_gate)
        {
            ConnectionGroup? client = _server.Members.Heaviest?.Members.Heaviest;
            TcpConnection? taken = client?.Holding.Oldest;
            if (mayBeSmall && client is not null) taken ??= TakeOldestIdle(client) ?? client.Open.Oldest;
            held = taken?.Held ?? 0;
            if (taken is null) return null;
            taken.LeavingOctets = held;
            taken.Activity.TryTake();
            Leave(taken);
            _counters = _counters with { EvictedForMemory = _counters.EvictedForMemory + 1 };
            return taken.Stream;
        }
    }

    /// <summary>Counts what a connection holds. Called after each change above the size of a small buffer.</summary>
    public void NoteHolding(TcpConnection connection)
    {
        lock (_gate)
        {
            if (connection.Activity.IsListed)
                SetCounted(connection, Math.Max(WeightOf(connection.Held), IncomingFrames.SmallBytes));
        }
    }

    private static int WeightOf(int held) => held > StreamMemory.SmallBytes ? held : 0;

    /// <summary>Adds a connection to its client and its prefix, which are ranked from their first on.</summary>
    private void EnterForMemory(TcpConnection connection, ConnectionGroup client, ConnectionGroup prefix)
    {
        if (prefix.Count == 0) _server.Members.Add(prefix);
        if (client.Count == 0) prefix.Members.Add(client);
        client.Open.Add(connection);
        SetCounted(connection, IncomingFrames.SmallBytes);
    }

    /// <summary>Removes a connection, and its groups if it was their last.</summary>
    private void LeaveForMemory(TcpConnection connection, ConnectionGroup client, ConnectionGroup prefix)
    {
        SetCounted(connection, 0);
        client.Open.Remove(connection);
        if (client.Count == 0) prefix.Members.Remove(client);
        if (prefix.Count == 0) _server.Members.Remove(prefix);
    }

    private void SetCounted(TcpConnection connection, int octets)
    {
        int added = octets - connection.CountedOctets;
        if (added == 0) return;
        ConnectionGroup client = connection.Groups[(int)GroupLevel.Client];
        ConnectionGroup prefix = connection.Groups[(int)GroupLevel.Prefix];
        bool held = WeightOf(connection.CountedOctets) > 0, holds = WeightOf(octets) > 0;
        connection.CountedOctets = octets;
        client.Octets += added;
        prefix.Octets += added;
        prefix.Members.Update(client);
        _server.Members.Update(prefix);
        if (holds && !held)
        {
            client.Holding.Add(connection);
        }
        else if (held && !holds)
        {
            client.Holding.Remove(connection);
        }
    }
}
