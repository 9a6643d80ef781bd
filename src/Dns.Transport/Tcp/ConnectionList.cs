namespace Dns.Transport;

/// <summary>Connections in the order in which they were added, linked through themselves.</summary>
/// <param name="level">Which of a connection's links this list runs through.</param>
internal sealed class ConnectionList(GroupLevel level)
{
    private readonly int _level = (int)level;
    private TcpConnection? _newest;

    /// <summary>The connection that has been in the list for longest.</summary>
    public TcpConnection? Oldest { get; private set; }

    /// <summary>Appends a connection that is not in the list.</summary>
    public void Add(TcpConnection connection)
    {
        connection.Links[_level] = new ConnectionLink(_newest, null);
        if (_newest is null)
        {
            Oldest = connection;
        }
        else
        {
            _newest.Links[_level].Newer = connection;
        }

        _newest = connection;
    }

    /// <summary>Takes a connection out that is in the list.</summary>
    public void Remove(TcpConnection connection)
    {
        (TcpConnection? older, TcpConnection? newer) = connection.Links[_level];
        if (older is null)
        {
            Oldest = newer;
        }
        else
        {
            older.Links[_level].Newer = newer;
        }

        if (newer is null)
        {
            _newest = older;
        }
        else
        {
            newer.Links[_level].Older = older;
        }

        connection.Links[_level] = default;
    }
}

/// <summary>The neighbours of a connection in one list.</summary>
internal record struct ConnectionLink(TcpConnection? Older, TcpConnection? Newer);
