namespace Dns.Transport;

/// <summary>The layers there are: for each kind of listener what makes the streams of its connections.</summary>
internal sealed class StreamLayers
{
    private readonly SocketLayer _plain = new();

    /// <summary>
    /// Makes the layer of a listener that speaks TLS: with its certificate, null when it cannot. Null while nothing here does.
    /// </summary>
    public Func<ListenerAddress, IStreamLayer?>? Tls { get; init; }

    /// <summary>The layer of a listener; null when there is none for its kind.</summary>
    public IStreamLayer? For(ListenerAddress address) => address.Kind switch
    {
        ListenerKind.Plain => _plain,
        ListenerKind.Tls => Tls?.Invoke(address),
        _ => null,
    };
}
