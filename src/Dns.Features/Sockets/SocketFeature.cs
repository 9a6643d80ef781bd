using Microsoft.Extensions.Logging;

namespace Dns.Features.Sockets;

/// <summary>The limits of TCP and the proxies, which a reload changes for bound sockets.</summary>
public sealed class SocketFeature(ListenerSet listeners, TcpLimits limits, ILogger<SocketFeature> logger)
    : Feature, IFeature
{
    private TcpLimits _limits = limits;

    public static Feature Create(ServerParts parts) =>
        new SocketFeature(parts.Listeners, parts.Options.Tcp, parts.Loggers.CreateLogger<SocketFeature>());

    public override void Use(ServerOptions options)
    {
        TcpLimits before = _limits;
        _limits = options.Tcp;
        string? note =
            listeners.Use(_limits, ProxiesOf(options), ForwardingFeature.DescriptorsOf(options));
        if (note is not null && _limits != before) logger.ListenerNote(note);
    }

    /// <summary>The proxies that send PROXY headers; null = none.</summary>
    public static ClientNetworks? ProxiesOf(ServerOptions options) =>
        options.Proxy.From.Count > 0 ? new ClientNetworks(options.Proxy.From) : null;
}
