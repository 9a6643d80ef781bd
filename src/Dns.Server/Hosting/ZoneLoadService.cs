using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Hosting;

/// <summary>Starts the zone sources: claims names before the first answer, loads data in the background.</summary>
internal sealed class ZoneLoadService(
    ZoneSourceSet sources, ZoneStatusReader status, ZoneReloader reloading, FeatureSet features, TimeProvider clock,
    ServiceReports reports, MemoryRelease memory, IHostApplicationLifetime lifetime, ILogger<ZoneLoadService> logger)
    : IHostedService, IDisposable
{
    // In the line of a start that --strict prevents.
    private const int MostNamed = 5;

    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(2);

    // The first signatures of a very large zone take longer: the other zones do not wait for them.
    private static readonly TimeSpan MaxSigning = TimeSpan.FromMinutes(1);

    private readonly CancellationTokenSource _stopping = new();
    private Task<ZoneLoadSummary>? _loading;

    /// <summary>Completes when every zone has been loaded or has failed, and the server has started.</summary>
    public Task Loaded => reloading.Loaded.Task;

    /// <summary>Loads all zones now, before the server starts.</summary>
    /// <param name="signs">Whether those signed here are signed, too; that takes a minute at most.</param>
    public ZoneLoadSummary Load(bool signs)
    {
        ZoneLoadSummary summary = (_loading ??= LoadAsync()).GetAwaiter().GetResult();
        if (signs) SigningAsync().GetAwaiter().GetResult();
        return summary;
    }

    /// <summary>The first zones without data because of errors, after a colon; empty if there are none.</summary>
    public string NameBroken()
    {
        string[] broken = [.. sources.All.SelectMany(sources.Registry.ClaimsOf)
            .Where(slot => slot is { Zone: null, Failure: not null }).Select(slot => slot.Name.ToString())
            .Distinct().Order(StringComparer.Ordinal)];
        if (broken.Length == 0) return "";
        string more = broken.Length > MostNamed ? $" and {broken.Length - MostNamed:N0} more" : "";
        return $": {string.Join(", ", broken.Take(MostNamed))}{more}";
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _loading ??= LoadAsync();
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        // Loading stops within a few thousand records.
        Task all = Task.WhenAll(sources.All.Select(source => source.StopAsync(cancellationToken))
            .Append(_loading ?? Task.CompletedTask));
        await Task.WhenAny(all, Task.Delay(MaxWait, clock, cancellationToken)).ConfigureAwait(false);
        features.ForEach(static feature => feature.OnZonesStopped());
    }

    public void Dispose() => _stopping.Dispose();

    private Task<ZoneLoadSummary> LoadAsync()
    {
        lifetime.ApplicationStopping.Register(_stopping.Cancel);
        ZoneLog log = new(logger, clock, () => sources.FileCount);
        // All names are claimed after this line.
        Task<ZoneLoadSummary>[] loads =
            [.. sources.All.Select(source => source.StartAsync(sources.Registry, log, _stopping.Token))];
        return FinishAsync(log, loads);
    }

    private async Task<ZoneLoadSummary> FinishAsync(ZoneLog log, Task<ZoneLoadSummary>[] loads)
    {
        ZoneLoadSummary summary = (await Task.WhenAll(loads).ConfigureAwait(false))
            .Aggregate(default(ZoneLoadSummary), static (sum, one) => sum.Plus(one));
        features.ForEach(static feature => feature.OnZonesLoaded());
        if (_stopping.IsCancellationRequested) return summary;
        memory.OnLoaded(summary);
        _ = ReportAsync(log, summary, log.Elapsed);
        return summary;
    }

    /// <summary>
    /// Reports once every service has started: queries and commands are then possible, and a takeover once the zones
    /// are signed.
    /// </summary>
    private async Task ReportAsync(ZoneLog log, ZoneLoadSummary summary, TimeSpan taken)
    {
        TaskCompletionSource started = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using (lifetime.ApplicationStarted.Register(() => started.TrySetResult()))
        using (_stopping.Token.Register(() => started.TrySetResult()))
            await started.Task.ConfigureAwait(false);
        if (_stopping.IsCancellationRequested) return;
        log.OnFinished(summary, taken);
        reloading.Loaded.TrySetResult();
        await SigningAsync().ConfigureAwait(false);
        if (!_stopping.IsCancellationRequested) reports.OnServing(status.ReadTotals());
    }

    private Task SigningAsync() =>
        Task.WhenAny(
            Task.WhenAll(features.All.Select(static feature => feature.WhenZonesReady())),
            Task.Delay(MaxSigning, clock, _stopping.Token));
}
