namespace Dns.Transport;

/// <summary>Connections that share a limit: how many, and the idle ones among them, the longest idle first.</summary>
/// <param name="level">Which of a connection's links the list of idle ones runs through.</param>
internal sealed class ConnectionGroup(GroupLevel level)
{
    /// <summary>Connections of the group, idle or not.</summary>
    public int Count { get; set; }

    /// <summary>The idle ones.</summary>
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
