namespace Dns.Forwarding.Upstreams;

/// <summary>The streams to one upstream: few, each carrying many queries (RFC 7766 §6.2.1, §6.2.2).</summary>
/// <remarks>
/// Names answered slowly or never over TCP would hold their slots for seconds at no cost to a client. So one network
/// (IPv4 address, IPv6 /64) gets at most a quarter of the slots, and if all are taken a query of the network with most
/// is evicted. Of a network it is the oldest of the client with most, so that one host does not evict the others.
/// Queries that no client with a proven address waits for are counted apart and evict no other: forged addresses would
/// be as many networks. They leave an eighth of the slots free, so that a proven client needs to evict none of them in
/// competition with those that follow. One that a proven client joins is of that client from then on.
/// </remarks>
internal sealed class StreamConnections(Upstream upstream, UpstreamServices services) : IDisposable
{
    /// <summary>The maximum number of streams to one upstream.</summary>
    internal const int MaxConnections = 4;

    /// <summary>The maximum number of pending queries of one network; prefetches count as one.</summary>
    internal const int MostOfNetwork = MaxQueries / 4;

    private const int MaxQueries = MaxConnections * StreamConnection.MaxQueries;

    private readonly Lock _gate = new();
    private readonly StreamConnection?[] _connections = new StreamConnection?[MaxConnections];
    private bool _isClosed;

    // A connection with room for another query of a client, which may still be connecting; opened if there is none.
    // Evicts another query if necessary. Null if all are full nevertheless.
    internal StreamConnection? Choose(QueryOwner owner)
    {
        MakeRoom(owner);
        StreamConnection connection;
        lock (_gate)
        {
            if (_isClosed) return null;
            int free = -1;
            for (int i = 0; i < _connections.Length; i++)
            {
                if (_connections[i] is not { } open) free = free < 0 ? i : free;
                else if (open.HasRoom) return open;
            }
            if (free < 0) return null;
            _connections[free] = connection = new(upstream, services);
        }
        connection.Open();
        return connection;
    }

    internal void Remove(StreamConnection connection)
    {
        lock (_gate)
        {
            int at = Array.IndexOf(_connections, connection);
            if (at >= 0) _connections[at] = null;
        }
    }

    public void Dispose()
    {
        lock (_gate) _isClosed = true;
        foreach (StreamConnection? connection in _connections) connection?.Dispose();
    }

    /// <summary>Without the lock, since an evicted query continues with another upstream.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void MakeRoom(QueryOwner owner)
    {
        Span<PendingStreamTry> tries = stackalloc PendingStreamTry[MaxQueries];
        int count = 0;
        for (int i = 0; i < _connections.Length; i++)
            count += Volatile.Read(ref _connections[i])?.CopyWaiting(i, tries[count..]) ?? 0;
        if (count < MostOfNetwork) return;
        int chosen = PendingStreamTry.ChooseEvicted(tries[..count], owner, MostOfNetwork, MaxQueries);
        if (chosen >= 0) Volatile.Read(ref _connections[tries[chosen].Path])?.Evict(in tries[chosen]);
    }
}
