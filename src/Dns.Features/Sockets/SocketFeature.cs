using Microsoft.Extensions.Logging;

namespace Dns.Features.Sockets;

/// <summary>The limits of TCP and the proxies, which a reload changes for bound sockets.</summary>
public sealed class SocketFeature(ListenerSet listeners, TcpLimits limits, ILogger<SocketFeature> logger)
    : Feature, IFeature
{
    private TcpLimits _limits = limits;

    public static IEnumerable<Setting> Settings =>
        [UdpOptions.Section, TcpSettings.Section, ProxyOptions.Section];

    public static Feature Create(ServerParts parts) =>
        new SocketFeature(parts.Listeners, LimitsOf(parts.Options), parts.Loggers.CreateLogger<SocketFeature>());

    public override void Use(ServerOptions options)
    {
        TcpLimits before = _limits;
        _limits = LimitsOf(options);
        string? note =
            listeners.Use(_limits, ProxiesOf(options), ForwardingFeature.DescriptorsOf(options));
        if (note is not null && _limits != before) logger.ListenerNote(note);
    }

    /// <summary>What TCP clients may take: as many replies of several messages as transfers, at least.</summary>
    public static TcpLimits LimitsOf(ServerOptions options)
    {
        TcpLimits limits = options.Of(TcpSettings.Section);
        int transfers = options.Of(TransferSettings.Section).MaxOutgoing;
        return limits.MaxSequences < transfers ? limits with { MaxSequences = transfers } : limits;
    }

    /// <summary>The proxies that send PROXY headers; null = none.</summary>
    public static ClientNetworks? ProxiesOf(ServerOptions options) =>
        options.Of(ProxyOptions.Section).From is { Count: > 0 } proxies ? new ClientNetworks(proxies) : null;
}
