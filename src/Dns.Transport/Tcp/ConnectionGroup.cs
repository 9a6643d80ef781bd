namespace Dns.Transport.Tcp;

/// <summary>Connections that share a limit: their number, and the idle ones, the longest idle first.</summary>
internal sealed class ConnectionGroup(GroupLevel level)
{
    /// <summary>Connections of the group, idle or not.</summary>
    public int Count { get; set; }

    public ConnectionList Idle { get; } = new(level);
}

/// <summary>The lists that a connection may be in: the idle ones of three groups, and those that hold memory.</summary>
internal enum GroupLevel
{
    Client,
    Prefix,
    Server,
    Holding,
}
