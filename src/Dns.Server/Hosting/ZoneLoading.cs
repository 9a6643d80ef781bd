using Dns.Providers;
using Dns.Zones;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>Loads the zones while the server already answers.</summary>
internal sealed class ZoneLoading(
    MasterFileProvider provider, ZoneReloading reloading, TimeProvider clock, ServiceReports reports, MemoryRelease memory,
    ILogger<ZoneLoading> logger) : BackgroundService
{
    private bool _isLoaded;

    /// <summary>Loads all zones now, before the server starts.</summary>
    public ZoneLoadSummary Load(CancellationToken cancellation)
    {
        ZoneLog log = new(logger, clock, provider.ZoneCount);
        ZoneLoadSummary summary = provider.Load(log, cancellation);
        _isLoaded = true;
        if (cancellation.IsCancellationRequested) return summary;
        log.OnFinished(summary);
        reports.OnServing(summary);
        memory.OnLoaded(summary);
        reloading.Loaded.TrySetResult();
        return summary;
    }

    /// <inheritdoc/>
    protected override Task ExecuteAsync(CancellationToken stoppingToken) => _isLoaded
        ? Task.CompletedTask
        : Task.Factory.StartNew(() => Load(stoppingToken), stoppingToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
