namespace Dns.Transport.Tcp;

/// <summary>
/// Connections that share a limit: their number, their memory, and the idle ones, the longest idle first.
/// </summary>
/// <param name="number">Greater than that of each group formed before.</param>
internal sealed class ConnectionGroup(GroupLevel level, long number = 0)
{
    private long _octets;

    /// <summary>Connections of the group, idle or not.</summary>
    public int Count { get; set; }

    public ConnectionList Idle { get; } = new(level);

    /// <summary>Those that hold more than a small buffer, the longest so first. Of a client.</summary>
    public ConnectionList Holding { get; } = new(GroupLevel.Holding);

    /// <summary>All, the first one admitted first. Of a client.</summary>
    public ConnectionList Open { get; } = new(GroupLevel.Open);

    /// <summary>The groups within: the clients of a prefix, the prefixes of the server.</summary>
    public GroupRanking Members { get; } = new();

    /// <summary>Octets that its connections are counted with. Changed under the table's lock, read by others.</summary>
    public long Octets
    {
        get => Volatile.Read(ref _octets);
        set => Volatile.Write(ref _octets, value);
    }

    public long Number => number;

    /// <summary>The index in the <see cref="GroupRanking"/>.</summary>
    public int Rank { get; set; }
}

/// <summary>
/// The lists that a connection may be in: the idle ones of three groups, and of its client those that hold memory, and
/// all.
/// </summary>
internal enum GroupLevel
{
    Client,
    Prefix,
    Server,
    Holding,
    Open,
}
