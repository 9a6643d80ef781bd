namespace Dns.Transport;

/// <summary>
/// What TCP clients may take (RFC 7766 §6, RFC 9210 §4). At a limit on connections the connection that has
/// been idle longest is closed for the new one: at a client's limit one of its own, at a prefix's one of that
/// prefix, at the server's one of anybody, though of the same client or prefix first. With none of these idle the
/// new connection is refused: who keeps his own busy takes no stranger's place.
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

    /// <summary>A message must arrive whole within this time after its first octet.</summary>
    public TimeSpan ReceiveTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The client must take the answers that are ready within this time.</summary>
    public TimeSpan SendTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Queries of one connection whose answers are still to come. At this many it is not read from.
    /// </summary>
    public int MaxOutstandingQueries { get; init; } = 100;

    /// <summary>
    /// Replies of several messages, such as zone transfers, that run at a time over all connections; 4 of one connection. Over it
    /// a responder is refused, and answers otherwise.
    /// </summary>
    public int MaxSequences { get; init; } = 64;

    /// <summary>
    /// While a reply of several messages runs, the client must take <see cref="SequenceProgressOctets"/> within this time,
    /// again and again; a client that does is not cut off, however slow. The other time-outs rest meanwhile.
    /// </summary>
    public TimeSpan SequenceTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>What a client must take of a reply of several messages within <see cref="SequenceTimeout"/>.</summary>
    public int SequenceProgressOctets { get; init; } = 1024;

    /// <summary>
    /// Bytes of buffers that all connections together may hold while they wait: for the rest of a query, for a client to
    /// take its answers. From half of it on, those that have held theirs for longest are closed. An eighth of the memory
    /// that the process may use, 1 GiB at most.
    /// </summary>
    public long MaxBufferBytes { get; init; } = AffordableBufferBytes;

    /// <summary>
    /// Bytes of kernel buffer for answers that one client has not taken yet; 0 leaves it to the system.
    /// </summary>
    public int SendBufferBytes { get; init; } = 256 * 1024;

    /// <summary>
    /// An eighth of the memory that the process may use, which follows the limit of a container and of the runtime's heap.
    /// </summary>
    private static long AffordableBufferBytes { get; } =
        Math.Clamp(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 8, 4L << 20, 1L << 30);
}
