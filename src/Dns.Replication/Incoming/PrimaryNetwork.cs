namespace Dns.Replication.Incoming;

/// <summary>The network to primaries: real sockets, or a script in tests.</summary>
/// <param name="Datagrams">For serial queries.</param>
/// <param name="OpenStream">Creates an unconnected stream, for transfers.</param>
public sealed record PrimaryNetwork(IOutgoingNetwork Datagrams, Func<IPEndPoint, IByteStream> OpenStream)
{
    /// <summary>Real sockets.</summary>
    public static PrimaryNetwork Sockets { get; } =
        new(new SocketNetwork(), static server => new SocketStream(server)) { ContinuesOnPool = true };

    /// <summary>
    /// Whether to continue on the thread pool, since the threads of the sockets must not be held up.
    /// </summary>
    public bool ContinuesOnPool { get; init; }

    internal IByteStream Open(IPEndPoint server) =>
        ContinuesOnPool ? new PooledStream(OpenStream(server)) : OpenStream(server);
}
