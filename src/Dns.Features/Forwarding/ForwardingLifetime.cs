using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Features.Forwarding;

/// <summary>Runs the forwarder with the host: logs its events, and drains waiting queries at the stop.</summary>
public sealed class ForwardingLifetime(
    Forwarder forwarder, TimeProvider clock, ILogger<ForwardingLifetime> logger,
    CacheFile? file = null) : IHostedService
{
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    public Task StartAsync(CancellationToken cancellationToken)
    {
        ForwardingLog.Write(logger, forwarder.Zones);
        if (forwarder.SocketsPerUpstream < ForwarderOptions.MostSockets)
            logger.FewSockets(forwarder.SocketsPerUpstream, ForwarderOptions.MostSockets, DescriptorLimit.Files);
        forwarder.UpstreamChanged = OnUpstreamChanged;
        // Logged once for each upstream; later ones are counted.
        forwarder.SocketRefused = (upstream, fault) => logger.NoFurtherSocket(upstream, fault.Text);
        file?.Load();
        file?.Try();
        return Task.CompletedTask;
    }

    private void OnUpstreamChanged(UpstreamStatus upstream, TimeSpan wasDownFor)
    {
        string zones = string.Join(" ", upstream.Zones);
        switch (upstream.State)
        {
            case UpstreamState.Up:
                logger.UpstreamBack(upstream.Address, zones, Math.Round(wasDownFor.TotalSeconds, 1));
                return;
            case UpstreamState.Down:
                logger.UpstreamDown(upstream.Address, zones, upstream.Reason);
                break;
            default:
                logger.UpstreamIsSelf(upstream.Address, zones);
                break;
        }
        foreach (DomainName zone in upstream.Zones)
            if (forwarder.Upstreams.All(other => other.State != UpstreamState.Up || !other.Zones.Contains(zone)))
                logger.AllUpstreamsDown(zone);
    }

    /// <summary>Waits briefly for pending answers; others get SERVFAIL.</summary>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        for (TimeSpan waited = default; waited < Grace && forwarder.Waiting > 0; waited += Look)
            await Task.Delay(Look, clock, CancellationToken.None).ConfigureAwait(false);
        forwarder.Stop();
        file?.Save();
    }
}
