namespace Dns.Forwarding.Upstreams;

/// <summary>The streams to one upstream: few, each carrying many queries (RFC 7766 §6.2.1, §6.2.2).</summary>
/// <remarks>
/// Names answered slowly or never over TCP would hold their slots for seconds at no cost to a client. So one client
/// gets at most a quarter of the slots, and if all are taken the oldest query of the client with most is evicted.
/// </remarks>
internal sealed class StreamConnections(Upstream upstream, IOutgoingNetwork network, MonotonicClock clock,
    TimingWheel wheel) : IDisposable
{
    /// <summary>The maximum number of streams to one upstream.</summary>
    internal const int MaxConnections = 4;

    /// <summary>The maximum number of pending queries of one client; prefetches count as one client.</summary>
    internal const int MostOfClient = MaxQueries / 4;

    private const int MaxQueries = MaxConnections * StreamConnection.MaxQueries;

    private readonly Lock _gate = new();
    private readonly StreamConnection?[] _connections = new StreamConnection?[MaxConnections];
    private bool _isClosed;

    // A connection with room for another query of a client, opened if there is none; evicts another query if necessary.
    // Null if all are full nevertheless.
    internal StreamConnection? Choose(int client)
    {
        MakeRoom(client);
        StreamConnection connection;
        lock (_gate)
        {
            if (_isClosed) return null;
            int free = -1;
            for (int i = 0; i < _connections.Length; i++)
            {
                if (_connections[i] is not { } open) free = free < 0 ? i : free;
                else if (open.HasRoom && open.IsOpen) return open;
            }
            if (free < 0) return null;
            _connections[free] = connection = new(upstream, clock, wheel);
        }
        connection.Open(network);
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
    private void MakeRoom(int client)
    {
        Span<PendingStreamTry> tries = stackalloc PendingStreamTry[MaxQueries];
        int count = 0;
        for (int i = 0; i < _connections.Length; i++)
            count += Volatile.Read(ref _connections[i])?.CopyWaiting(i, tries[count..]) ?? 0;
        if (count < MostOfClient) return;
        int chosen = PendingStreamTry.ChooseEvicted(tries[..count], client, MostOfClient, isFull: count == MaxQueries);
        if (chosen >= 0) Volatile.Read(ref _connections[tries[chosen].Path])?.Evict(in tries[chosen]);
    }
}
