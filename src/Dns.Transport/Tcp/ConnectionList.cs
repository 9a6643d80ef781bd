namespace Dns.Transport.Tcp;

/// <summary>An intrusive list of connections, the oldest first.</summary>
internal sealed class ConnectionList(GroupLevel level)
{
    // Bounds the search in a list where many became idle in another order than they were found.
    private const int MostSteps = 16;

    private readonly int _level = (int)level;
    private TcpConnection? _newest;

    public TcpConnection? Oldest { get; private set; }

    /// <summary>Appends a connection that is not in the list.</summary>
    public void Add(TcpConnection connection) => Insert(connection, _newest, null);

    /// <summary>Inserts by <see cref="TcpConnection.SeenIdleSince"/>, at most 16 positions from the end.</summary>
    public void AddByAge(TcpConnection connection)
    {
        TcpConnection? older = _newest, newer = null;
        for (int i = 0; i < MostSteps && older is not null && older.SeenIdleSince > connection.SeenIdleSince; i++)
            (older, newer) = (older.Links[_level].Older, older);
        Insert(connection, older, newer);
    }

    public void Remove(TcpConnection connection)
    {
        (TcpConnection? older, TcpConnection? newer) = connection.Links[_level];
        SetNewer(older, newer);
        SetOlder(newer, older);
        connection.Links[_level] = default;
    }

    private void Insert(TcpConnection connection, TcpConnection? older, TcpConnection? newer)
    {
        connection.Links[_level] = new ConnectionLink(older, newer);
        SetNewer(older, connection);
        SetOlder(newer, connection);
    }

    private void SetNewer(TcpConnection? connection, TcpConnection? newer)
    {
        if (connection is null)
        {
            Oldest = newer;
        }
        else
        {
            connection.Links[_level].Newer = newer;
        }
    }

    private void SetOlder(TcpConnection? connection, TcpConnection? older)
    {
        if (connection is null)
        {
            _newest = older;
        }
        else
        {
            connection.Links[_level].Older = older;
        }
    }
}

/// <summary>The neighbours of a connection in one list.</summary>
internal record struct ConnectionLink(TcpConnection? Older, TcpConnection? Newer);
