namespace Dns.Server;

/// <summary>Settings of TCP (RFC 7766), section <c>Dns:Tcp</c>. At a limit the longest idle connection makes room.</summary>
internal sealed class TcpOptions
{
    /// <summary>Connections at once, 1 to 1000000.</summary>
    public int MaxConnections { get; set; } = 10_000;

    /// <summary>Connections at once of one /24 (IPv4) or /56 (IPv6), 1 to 1000000.</summary>
    public int MaxConnectionsPerPrefix { get; set; } = 2_000;

    /// <summary>Connections at once of one address, 1 to 1000000.</summary>
    public int MaxConnectionsPerClient { get; set; } = 500;

    /// <summary>Seconds without a query after which a connection is closed, 1 to 6553 (RFC 7828 counts to there).</summary>
    public int IdleTimeoutSeconds { get; set; } = 10;

    /// <summary>Seconds that a query may take to arrive whole, 1 to 3600.</summary>
    public int ReceiveTimeoutSeconds { get; set; } = 10;

    /// <summary>Seconds that a client may take to read the answers that are ready, 1 to 3600.</summary>
    public int SendTimeoutSeconds { get; set; } = 10;
}
