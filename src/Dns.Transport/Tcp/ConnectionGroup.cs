namespace Dns.Transport;

/// <summary>
/// Connections that share a limit, counted, and the idle ones among them, the longest idle first.
/// </summary>
/// <param name="level">Which of a connection's links this group's list runs through.</param>
internal sealed class ConnectionGroup(GroupLevel level)
{
    private readonly int _level = (int)level;
    private TcpConnection? _newestIdle;

    /// <summary>Connections of the group, idle or not.</summary>
    public int Count { get; set; }

    /// <summary>The connection that has been idle longest.</summary>
    public TcpConnection? OldestIdle { get; private set; }

    /// <summary>Appends a connection that has become idle.</summary>
    public void AddIdle(TcpConnection connection)
    {
        connection.Links[_level] = new IdleLink(_newestIdle, null);
        if (_newestIdle is null)
        {
            OldestIdle = connection;
        }
        else
        {
            _newestIdle.Links[_level].Newer = connection;
        }

        _newestIdle = connection;
    }

    /// <summary>Takes a connection out that is idle no more.</summary>
    public void RemoveIdle(TcpConnection connection)
    {
        (TcpConnection? older, TcpConnection? newer) = connection.Links[_level];
        if (older is null)
        {
            OldestIdle = newer;
        }
        else
        {
            older.Links[_level].Newer = newer;
        }

        if (newer is null)
        {
            _newestIdle = older;
        }
        else
        {
            newer.Links[_level].Older = older;
        }

        connection.Links[_level] = default;
    }
}

/// <summary>The three circles a connection belongs to.</summary>
internal enum GroupLevel
{
    Client,
    Prefix,
    Server,
}

/// <summary>The neighbours of a connection in one list of idle connections.</summary>
internal record struct IdleLink(TcpConnection? Older, TcpConnection? Newer);
