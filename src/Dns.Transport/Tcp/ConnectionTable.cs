namespace Dns.Transport.Tcp;

/// <summary>
/// The open connections: counts by client, prefix and server, the idle ones, and the choice of a victim for a new one.
/// The lock is taken when a connection is added, removed or evicted, and not for queries, which change
/// <see cref="ConnectionActivity"/>. All steps except <see cref="TakeExpired"/> take constant time, some amortised, or
/// logarithmic time. The table closes nothing: the caller that removes a connection closes its stream. It returns the
/// stream and not the connection, which may be reused by then.
/// </summary>
internal sealed partial class ConnectionTable(TcpLimits first)
{
    private readonly Lock _gate = new();
    private readonly ConnectionGroup _server = new(GroupLevel.Server);
    private readonly Dictionary<AddressPrefix, ConnectionGroup> _prefixes = [];
    private readonly Dictionary<AddressPrefix, ConnectionGroup> _clients = [];
    private readonly List<TcpConnection> _all = [];
    private TcpLimits _limits = first;
    private readonly MessageCounters _messages = new();
    private volatile bool _stopping;
    private long _groupsFormed;
    private TcpCounters _counters;

    public TcpCounters Counters
    {
        get
        {
            lock (_gate)
                return _counters with { Open = _all.Count, Received = _messages.Received, Sent = _messages.Sent };
        }
    }

    /// <summary>Changes the limits for connections to come.</summary>
    public void Use(TcpLimits limits)
    {
        lock (_gate) _limits = limits;
    }

    /// <summary>
    /// Adds a new connection as idle. At a limit it returns the stream of the victim: at a client's limit one of that
    /// client, at a prefix's one of the prefix, at the server's any.
    /// </summary>
    /// <returns>False if a limit is reached and none of those is idle, or the server is stopping.</returns>
    public bool TryAdmit(TcpConnection connection, out IByteStream? victim)
    {
        lock (_gate)
        {
            victim = null;
            ReserveOne();
            ConnectionGroup prefix = Find(_prefixes, connection.PrefixKey, GroupLevel.Prefix);
            ConnectionGroup client = Find(_clients, connection.ClientKey, GroupLevel.Client);
            prefix.Members.Reserve();
            bool ofClient = client.Count >= Math.Max(_limits.MaxConnectionsPerClient, 1);
            bool ofPrefix = prefix.Count >= Math.Max(_limits.MaxConnectionsPerPrefix, 1);
            bool full = ofClient || ofPrefix || _server.Count >= Math.Max(_limits.MaxConnections, 1);
            TcpConnection? oldest = full && !_stopping ? TakeOldestIdle(client) : null;
            if (full && !_stopping && !ofClient) oldest ??= TakeOldestIdle(prefix);
            if (full && !_stopping && !ofClient && !ofPrefix) oldest ??= TakeOldestIdle(_server);
            if (_stopping || (full && oldest is null))
            {
                _counters = _counters with { Refused = _counters.Refused + 1 };
                return false;
            }
            Enter(connection, client, prefix);
            victim = full ? Evict(oldest!) : null;
            return true;
        }
    }

    /// <summary>Removes the connection idle for longest, to free its descriptor.</summary>
    public IByteStream? TakeOldestIdle()
    {
        lock (_gate) return TakeOldestIdle(_server) is TcpConnection oldest ? Evict(oldest) : null;
    }

    /// <summary>Protects a connection from eviction. False if it was removed. Lock-free.</summary>
    public static bool TryMarkBusy(TcpConnection connection) => connection.Activity.TryBecomeBusy();

    /// <summary>
    /// Makes a connection evictable like an idle one while its client takes no octets. False if it was removed.
    /// Lock-free unless there was an eviction meanwhile.
    /// </summary>
    public bool TryMarkStalled(TcpConnection connection, long now) =>
        connection.Activity.TryBecomeIdle(now, out bool isAway) || (isAway && TryReturn(connection));

    /// <summary>
    /// Counts messages of a connection and makes it evictable if idle. False if it was removed, or is idle and the
    /// server is stopping. Lock-free unless there was an eviction meanwhile.
    /// </summary>
    /// <param name="now">The approximate time: that of the last query.</param>
    public bool TrySettle(TcpConnection connection, int received, int sent, bool idle, long now)
    {
        bool isListed = idle
            ? TryMarkStalled(connection, now)
            : connection.Activity.IsListed;
        _messages.Add(received, sent);
        // Read after the connection became idle: either it is noticed here, or a stop sees the idle connection.
        return isListed && !(idle && _stopping);
    }

    /// <summary>Counts the messages of a connection at its end.</summary>
    public void CountMessages(int received, int sent) => _messages.Add(received, sent);

    /// <summary>Removes a connection that ends by itself. Idempotent.</summary>
    public void Remove(TcpConnection connection)
    {
        lock (_gate)
        {
            if (connection.Activity.TryTake()) Leave(connection);
        }
    }

    /// <summary>Removes all connections whose deadline is not after <paramref name="now"/>.</summary>
    public void TakeExpired(long now, List<IByteStream> expired)
    {
        lock (_gate)
        {
            for (int i = _all.Count - 1; i >= 0; i--)
            {
                TcpConnection connection = _all[i];
                if (connection.Deadline <= now && !connection.TryProlong(now) && connection.Activity.TryTake())
                {
                    Leave(connection);
                    expired.Add(connection.Stream);
                }
            }
            _counters = _counters with { TimedOut = _counters.TimedOut + expired.Count };
        }
    }

    /// <summary>Admits none from now on and removes the idle connections, or all.</summary>
    public void Stop(List<IByteStream> taken, bool busyToo)
    {
        lock (_gate)
        {
            _stopping = true;
            for (int i = _all.Count - 1; i >= 0; i--)
            {
                TcpConnection connection = _all[i];
                bool isTaken = busyToo
                    ? connection.Activity.TryTake() : !connection.IsSending && connection.Activity.TryTakeIdle();
                if (isTaken)
                {
                    Leave(connection);
                    taken.Add(connection.Stream);
                }
            }
        }
    }

    public void CountAcceptError()
    {
        lock (_gate) _counters = _counters with { AcceptErrors = _counters.AcceptErrors + 1 };
    }

    public void CountFault()
    {
        lock (_gate) _counters = _counters with { Faults = _counters.Faults + 1 };
    }

    /// <summary>Counts a connection from a proxy without a valid header.</summary>
    public void CountBadProxyHeader()
    {
        lock (_gate) _counters = _counters with { BadProxyHeaders = _counters.BadProxyHeaders + 1 };
    }

    /// <summary>Counts an answer that was too late or not accepted by the client.</summary>
    public void CountUndelivered()
    {
        lock (_gate) _counters = _counters with { Undelivered = _counters.Undelivered + 1 };
    }

    private ConnectionGroup Find(
        Dictionary<AddressPrefix, ConnectionGroup> groups, AddressPrefix key, GroupLevel level) =>
        groups.GetValueOrDefault(key) ?? new(level, ++_groupsFormed);

    private void Enter(TcpConnection connection, ConnectionGroup client, ConnectionGroup prefix)
    {
        connection.Groups[(int)GroupLevel.Client] = client;
        connection.Groups[(int)GroupLevel.Prefix] = prefix;
        connection.Groups[(int)GroupLevel.Server] = _server;
        _clients[connection.ClientKey] = client;
        _prefixes[connection.PrefixKey] = prefix;
        EnterForMemory(connection, client, prefix);
        foreach (ConnectionGroup group in connection.Groups) group.Count++;
        connection.Index = _all.Count;
        _all.Add(connection);
        _counters = _counters with { Accepted = _counters.Accepted + 1 };
        connection.Activity.Enter(connection.Opened);
        List(connection);
    }

    /// <summary>Removes a connection whose activity is already unlisted.</summary>
    private void Leave(TcpConnection connection)
    {
        ConnectionGroup client = connection.Groups[(int)GroupLevel.Client];
        ConnectionGroup prefix = connection.Groups[(int)GroupLevel.Prefix];
        Unlist(connection);
        foreach (ConnectionGroup group in connection.Groups) group.Count--;
        LeaveForMemory(connection, client, prefix);
        TcpConnection last = _all[^1];
        _all[connection.Index] = last;
        last.Index = connection.Index;
        _all.RemoveAt(_all.Count - 1);
        connection.NoteTakenOut();
        DropEmpty(connection.PrefixKey, prefix, connection.ClientKey, client);
    }

    private IByteStream Evict(TcpConnection connection)
    {
        Leave(connection);
        _counters = _counters with { Evicted = _counters.Evicted + 1 };
        return connection.Stream;
    }

    /// <summary>Allocates before anything changes, since memory may be short.</summary>
    private void ReserveOne()
    {
        _all.EnsureCapacity(_all.Count + 1);
        _server.Members.Reserve();
        _prefixes.EnsureCapacity(_prefixes.Count + 1);
        _clients.EnsureCapacity(_clients.Count + 1);
    }

    private void DropEmpty(
        AddressPrefix prefixKey, ConnectionGroup prefix, AddressPrefix clientKey, ConnectionGroup client)
    {
        if (prefix.Count == 0) _prefixes.Remove(prefixKey);
        if (client.Count == 0) _clients.Remove(clientKey);
    }
}
