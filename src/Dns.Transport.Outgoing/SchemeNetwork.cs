namespace Dns.Transport.Outgoing;

/// <summary>All networks: each server is reached through that of its scheme. Thread-safe.</summary>
/// <param name="networks">The network of each scheme of <see cref="PeerScheme.Known"/>.</param>
public sealed class SchemeNetwork(params IReadOnlyList<(PeerScheme Scheme, IOutgoingNetwork Network)> networks)
    : IOutgoingNetwork
{
    private readonly Dictionary<PeerScheme, IOutgoingNetwork> _networks =
        networks.ToDictionary(one => one.Scheme, one => one.Network);

    /// <summary>The networks of all schemes: a new scheme gets its network here.</summary>
    /// <param name="exceptions">Receives unexpected exceptions of receive loops; null = none.</param>
    public static SchemeNetwork Create(IExceptionSink? exceptions = null) =>
        new((PeerScheme.Plain, new SocketNetwork(exceptions)));

    /// <inheritdoc/>
    public bool CompletesOnSharedThreads { get; } = networks.Any(one => one.Network.CompletesOnSharedThreads);

    /// <inheritdoc/>
    public IDatagramPath? OpenDatagrams(
        PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault) =>
        _networks[server.Scheme].OpenDatagrams(server, localPort, receiver, out fault);

    /// <inheritdoc/>
    public IByteStream MakeStream(PeerAddress server) => _networks[server.Scheme].MakeStream(server);
}
