namespace Dns.Transport;

/// <summary>Connections that share a limit: their number, and the idle ones, the longest idle first.</summary>
/// <param name="level">The links that the list of idle ones uses.</param>
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
