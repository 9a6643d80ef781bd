using System.Runtime;
using Dns.Providers;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>Loads the zones while the server already answers.</summary>
internal sealed class ZoneLoading(
    MasterFileProvider provider, ZoneReloading reloading, TimeProvider clock, ServiceReports reports, ILogger<ZoneLoading> logger)
    : BackgroundService
{
    private const int ManyZones = 1000;
    private const long ManyBytes = 16 << 20;

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
        if (provider.ZoneCount >= ManyZones || summary.MemoryBytes >= ManyBytes) CompactMemory();
        reloading.Loaded.TrySetResult();
        return summary;
    }

    /// <summary>
    /// Collects what a reload has replaced. Nothing is moved, since queries wait meanwhile: a zone is a few arrays, whose
    /// room the system gets back as it is.
    /// </summary>
    internal static void ReleaseMemory(ZoneLoadSummary summary)
    {
        if (summary.Loaded + summary.Removed >= ManyZones || summary.MemoryBytes >= ManyBytes)
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: false);
    }

    /// <inheritdoc/>
    protected override Task ExecuteAsync(CancellationToken stoppingToken) => _isLoaded
        ? Task.CompletedTask
        : Task.Factory.StartNew(() => Load(stoppingToken), stoppingToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>
    /// Gives what reading has left behind back to the system, once. Serving allocates next to nothing, so that no
    /// collection would do it later.
    /// </summary>
    private static void CompactMemory()
    {
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
