namespace Dns.Transport.Streams;

/// <summary>The stream layer of each kind of listener.</summary>
internal sealed class StreamLayers
{
    private readonly SocketLayer _plain = new();

    /// <summary>Makes a TLS listener's layer from its certificate, or none. Null: TLS is not implemented.</summary>
    public Func<ListenerAddress, IStreamLayer?>? Tls { get; init; }

    /// <summary>The layer of a listener; null if its kind has none.</summary>
    public IStreamLayer? For(ListenerAddress address) => address.Kind switch
    {
        ListenerKind.Plain => _plain,
        ListenerKind.Tls => Tls?.Invoke(address),
        _ => null,
    };
}
