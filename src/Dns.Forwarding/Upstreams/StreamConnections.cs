namespace Dns.Forwarding;

/// <summary>The streams to one upstream: few, each carrying many queries (RFC 7766 §6.2.1, §6.2.2).</summary>
internal sealed class StreamConnections(Upstream upstream, IUpstreamNetwork network, MonotonicClock clock, TimingWheel wheel) : IDisposable
{
    /// <summary>The most streams to one upstream.</summary>
    internal const int MaxConnections = 4;

    private readonly Lock _gate = new();
    private readonly StreamConnection?[] _connections = new StreamConnection?[MaxConnections];
    private bool _isClosed;

    /// <summary>A connection with room for one more query, opened if there is none; null if all are full.</summary>
    internal StreamConnection? Choose()
    {
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

    /// <summary>Forgets a connection that has ended.</summary>
    internal void Remove(StreamConnection connection)
    {
        lock (_gate)
        {
            int at = Array.IndexOf(_connections, connection);
            if (at >= 0) _connections[at] = null;
        }
    }

    /// <summary>Closes all.</summary>
    public void Dispose()
    {
        lock (_gate) _isClosed = true;
        foreach (StreamConnection? connection in _connections) connection?.Dispose();
    }
}
