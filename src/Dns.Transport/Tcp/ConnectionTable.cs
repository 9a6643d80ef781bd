namespace Dns.Transport;

/// <summary>
/// The open connections: their counts per client, prefix and server, which are idle, and which gives way to a
/// new one. Every step but <see cref="TakeExpired"/> is constant time, because a flood of connections runs
/// through here. The table closes nothing; whoever takes a connection out closes its stream. It hands out the
/// stream and not the connection, whose state may serve somebody else by then.
/// </summary>
internal sealed class ConnectionTable(TcpLimits first)
{
    private readonly Lock _gate = new();
    private readonly ConnectionGroup _server = new(GroupLevel.Server);
    private readonly ConnectionList _holding = new(GroupLevel.Holding);
    private readonly Dictionary<AddressPrefix, ConnectionGroup> _prefixes = [];
    private readonly Dictionary<AddressPrefix, ConnectionGroup> _clients = [];
    private readonly List<TcpConnection> _all = [];
    private TcpLimits _limits = first;
    private bool _stopping;
    private TcpCounters _counters;

    /// <summary>A copy of the counters.</summary>
    public TcpCounters Counters
    {
        get
        {
            lock (_gate)
            {
                return _counters with { Open = _all.Count };
            }
        }
    }

    /// <summary>Goes on with other limits, for connections to come.</summary>
    public void Use(TcpLimits limits)
    {
        lock (_gate)
        {
            _limits = limits;
        }
    }

    /// <summary>
    /// Takes a new connection in, idle. At a limit it hands out the stream of the connection that gives way: at a client's
    /// one of its own, at a prefix's one of the prefix, and only at the server's one of anybody.
    /// </summary>
    /// <returns>False when a limit is reached and none of those connections is idle, or the server stops.</returns>
    public bool TryAdmit(TcpConnection connection, out IStreamTransport? victim)
    {
        lock (_gate)
        {
            victim = null;
            ReserveOne();
            ConnectionGroup prefix = _prefixes.GetValueOrDefault(connection.PrefixKey) ?? new(GroupLevel.Prefix);
            ConnectionGroup client = _clients.GetValueOrDefault(connection.ClientKey) ?? new(GroupLevel.Client);
            bool ofClient = client.Count >= Math.Max(_limits.MaxConnectionsPerClient, 1);
            bool ofPrefix = prefix.Count >= Math.Max(_limits.MaxConnectionsPerPrefix, 1);
            bool full = ofClient || ofPrefix || _server.Count >= Math.Max(_limits.MaxConnections, 1);
            TcpConnection? oldest = client.Idle.Oldest;
            if (!ofClient)
            {
                oldest ??= prefix.Idle.Oldest;
            }

            if (!ofClient && !ofPrefix)
            {
                oldest ??= _server.Idle.Oldest;
            }

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

    /// <summary>Takes out the connection that has been idle longest, to free its descriptor.</summary>
    public IStreamTransport? TakeOldestIdle()
    {
        lock (_gate)
        {
            return _server.Idle.Oldest is TcpConnection oldest ? Evict(oldest) : null;
        }
    }

    /// <summary>Takes out the connection that has held more than a small buffer for longest.</summary>
    /// <param name="mayBeIdle">Whether the one idle longest is taken where there is none.</param>
    /// <param name="held">Octets that it holds until it ends.</param>
    public IStreamTransport? TakeLongestHolding(bool mayBeIdle, out int held)
    {
        lock (_gate)
        {
            TcpConnection? oldest = _holding.Oldest ?? (mayBeIdle ? _server.Idle.Oldest : null);
            held = oldest?.Held ?? 0;
            if (oldest is null)
            {
                return null;
            }

            oldest.LeavingOctets = held;
            Leave(oldest);
            _counters = _counters with { EvictedForMemory = _counters.EvictedForMemory + 1 };
            return oldest.Stream;
        }
    }

    /// <summary>Looks again whether a connection holds more than a small buffer. Called after each time that this changed.</summary>
    public void NoteHolding(TcpConnection connection)
    {
        lock (_gate)
        {
            SetHolding(connection, connection.IsListed && connection.Held > StreamMemory.SmallBytes);
        }
    }

    /// <summary>Keeps a connection from giving way. False when it has been taken out already.</summary>
    public bool TryMarkBusy(TcpConnection connection)
    {
        lock (_gate)
        {
            if (!connection.IsListed)
            {
                return false;
            }

            SetIdle(connection, idle: false);
            return true;
        }
    }

    /// <summary>
    /// Lets a connection give way again. False when it has been taken out or the server stops.
    /// </summary>
    public bool TryMarkIdle(TcpConnection connection, int received, int sent) =>
        TrySettle(connection, received, sent, idle: true);

    /// <summary>
    /// Counts what a connection has done and lets it give way when it is idle. False when it has been taken
    /// out, or is idle and the server stops.
    /// </summary>
    public bool TrySettle(TcpConnection connection, int received, int sent, bool idle)
    {
        lock (_gate)
        {
            _counters = _counters with
            {
                Received = _counters.Received + received,
                Sent = _counters.Sent + sent,
            };
            if (!connection.IsListed || (idle && _stopping))
            {
                return false;
            }

            SetIdle(connection, idle);
            return true;
        }
    }

    /// <summary>Takes a connection out that ends by itself. Does nothing when it is out already.</summary>
    public void Remove(TcpConnection connection)
    {
        lock (_gate)
        {
            if (connection.IsListed)
            {
                Leave(connection);
            }
        }
    }

    /// <summary>Takes out every connection whose deadline is not after <paramref name="now"/>.</summary>
    public void TakeExpired(long now, List<IStreamTransport> expired)
    {
        lock (_gate)
        {
            for (int i = _all.Count - 1; i >= 0; i--)
            {
                TcpConnection connection = _all[i];
                if (connection.Deadline <= now)
                {
                    Leave(connection);
                    expired.Add(connection.Stream);
                }
            }

            _counters = _counters with { TimedOut = _counters.TimedOut + expired.Count };
        }
    }

    /// <summary>Admits nothing from now on and takes out the idle connections, or all.</summary>
    public void Stop(List<IStreamTransport> taken, bool busyToo)
    {
        lock (_gate)
        {
            _stopping = true;
            for (int i = _all.Count - 1; i >= 0; i--)
            {
                TcpConnection connection = _all[i];
                if (connection.IsIdle || busyToo)
                {
                    Leave(connection);
                    taken.Add(connection.Stream);
                }
            }
        }
    }

    /// <summary>Counts a failed accept.</summary>
    public void CountAcceptError()
    {
        lock (_gate)
        {
            _counters = _counters with { AcceptErrors = _counters.AcceptErrors + 1 };
        }
    }

    /// <summary>Counts an exception of the responder.</summary>
    public void CountFault()
    {
        lock (_gate)
        {
            _counters = _counters with { Faults = _counters.Faults + 1 };
        }
    }

    /// <summary>Counts a connection of a proxy that did not begin with a good header.</summary>
    public void CountBadProxyHeader()
    {
        lock (_gate)
        {
            _counters = _counters with { BadProxyHeaders = _counters.BadProxyHeaders + 1 };
        }
    }

    /// <summary>Counts an answer that came too late, or that a client left waiting.</summary>
    public void CountUndelivered()
    {
        lock (_gate)
        {
            _counters = _counters with { Undelivered = _counters.Undelivered + 1 };
        }
    }

    private void Enter(TcpConnection connection, ConnectionGroup client, ConnectionGroup prefix)
    {
        connection.Groups[(int)GroupLevel.Client] = client;
        connection.Groups[(int)GroupLevel.Prefix] = prefix;
        connection.Groups[(int)GroupLevel.Server] = _server;
        _clients[connection.ClientKey] = client;
        _prefixes[connection.PrefixKey] = prefix;
        foreach (ConnectionGroup group in connection.Groups)
        {
            group.Count++;
        }

        connection.Index = _all.Count;
        connection.IsListed = true;
        _all.Add(connection);
        _counters = _counters with { Accepted = _counters.Accepted + 1 };
        SetIdle(connection, idle: true);
    }

    private void SetHolding(TcpConnection connection, bool holds)
    {
        if (connection.IsHolding == holds)
        {
            return;
        }

        connection.IsHolding = holds;
        if (holds)
        {
            _holding.Add(connection);
        }
        else
        {
            _holding.Remove(connection);
        }
    }

    private void Leave(TcpConnection connection)
    {
        SetIdle(connection, idle: false);
        SetHolding(connection, holds: false);
        foreach (ConnectionGroup group in connection.Groups)
        {
            group.Count--;
        }

        TcpConnection last = _all[^1];
        _all[connection.Index] = last;
        last.Index = connection.Index;
        _all.RemoveAt(_all.Count - 1);
        connection.IsListed = false;
        connection.NoteTakenOut();
        DropEmpty(
            connection.PrefixKey, connection.Groups[(int)GroupLevel.Prefix],
            connection.ClientKey, connection.Groups[(int)GroupLevel.Client]);
    }

    private IStreamTransport Evict(TcpConnection connection)
    {
        Leave(connection);
        _counters = _counters with { Evicted = _counters.Evicted + 1 };
        return connection.Stream;
    }

    private static void SetIdle(TcpConnection connection, bool idle)
    {
        if (connection.IsIdle == idle)
        {
            return;
        }

        connection.IsIdle = idle;
        foreach (ConnectionGroup group in connection.Groups)
        {
            if (idle)
            {
                group.Idle.Add(connection);
            }
            else
            {
                group.Idle.Remove(connection);
            }
        }
    }

    /// <summary>Allocates what another connection needs before anything changes: memory may be short.</summary>
    private void ReserveOne()
    {
        _all.EnsureCapacity(_all.Count + 1);
        _prefixes.EnsureCapacity(_prefixes.Count + 1);
        _clients.EnsureCapacity(_clients.Count + 1);
    }

    private void DropEmpty(
        AddressPrefix prefixKey, ConnectionGroup prefix, AddressPrefix clientKey, ConnectionGroup client)
    {
        if (prefix.Count == 0)
        {
            _prefixes.Remove(prefixKey);
        }

        if (client.Count == 0)
        {
            _clients.Remove(clientKey);
        }
    }
}
