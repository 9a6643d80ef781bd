namespace Dns.Transport;

/// <summary>
/// Limits of TCP clients (RFC 7766 §6, RFC 9210 §4). At a limit on connections, the connection idle for longest is
/// closed for the new one: at a client's limit one of that client, at a prefix's one of that prefix, at the server's
/// any, of the same client or prefix first. If none of these is idle, the new connection is refused: a client with busy
/// connections cannot displace others.
/// </summary>
public sealed record TcpLimits
{
    /// <summary>Connections in all. At least 1.</summary>
    public int MaxConnections { get; init; } = 10_000;

    /// <summary>Connections of one /24 (IPv4) or /56 (IPv6).</summary>
    public int MaxConnectionsPerPrefix { get; init; } = 2_000;

    /// <summary>Connections of one address.</summary>
    public int MaxConnectionsPerClient { get; init; } = 500;

    /// <summary>A connection without a query for this long is closed.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>A message must be complete within this time after its first octet.</summary>
    public TimeSpan ReceiveTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The client must accept pending answers within this time.</summary>
    public TimeSpan SendTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Unanswered queries of one connection. At this number it is not read from.</summary>
    public int MaxOutstandingQueries { get; init; } = 100;

    /// <summary>
    /// Replies of several messages, such as zone transfers, that run at a time over all connections; 4 on one
    /// connection. Above it, a responder's sequence is refused.
    /// </summary>
    public int MaxSequences { get; init; } = 64;

    /// <summary>
    /// During a reply of several messages, the client must accept <see cref="SequenceProgressOctets"/> within each such
    /// interval. A client that does is never closed for slowness; other timeouts are suspended.
    /// </summary>
    public TimeSpan SequenceTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>What a client must accept within <see cref="SequenceTimeout"/>, in octets.</summary>
    public int SequenceProgressOctets { get; init; } = 1024;

    /// <summary>
    /// Bytes of buffers that all waiting connections may hold: for incomplete queries and unsent answers. From half of
    /// it on, connections of the client that holds most, in the prefix that holds most, are closed. Default: an eighth
    /// of the memory available to the process, 1 GiB at most.
    /// </summary>
    public long MaxBufferBytes { get; init; } = AffordableBufferBytes;

    /// <summary>Bytes of kernel send buffer for each connection; 0 = the system's default.</summary>
    public int SendBufferBytes { get; init; } = 256 * 1024;

    /// <summary>An eighth of the available memory, which follows the limits of container and runtime heap.</summary>
    private static long AffordableBufferBytes { get; } =
        Math.Clamp(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 8, 4L << 20, 1L << 30);
}
