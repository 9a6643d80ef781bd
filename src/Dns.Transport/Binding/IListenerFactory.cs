namespace Dns.Transport.Binding;

/// <summary>Makes the listeners of a kind.</summary>
public interface IListenerFactory
{
    /// <summary>Binds an address. Nothing is received before the start; nothing stays open after a failure.</summary>
    /// <param name="address">An entry of the list: port 0 chooses a free one.</param>
    /// <returns>Null after a failure, which is not null then.</returns>
    IListener? TryBind(ListenerAddress address, ListenerHost host, out BindFailure? failure);
}

/// <summary>
/// Listeners over TCP with a layer on each connection, such as TLS: message by message with a length prefix, and all
/// else as over TCP (RFC 7858).
/// </summary>
/// <param name="layerOf">Makes the layer of an address, from its certificate and options.</param>
public sealed class StreamListeners(Func<ListenerAddress, IStreamLayer> layerOf) : IListenerFactory
{
    /// <inheritdoc/>
    public IListener? TryBind(ListenerAddress address, ListenerHost host, out BindFailure? failure) =>
        host.TryBindStreams(address, layerOf(address), out failure);
}
