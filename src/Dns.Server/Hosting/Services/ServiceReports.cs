using Microsoft.Extensions.Hosting;

namespace Dns.Server.Hosting.Services;

/// <summary>
/// Reports the server's state to the service manager: ready once the zones have been read and signed, keep-alives,
/// reloads, the stop. It runs on the thread pool, so that the keep-alive proves that the pool works.
/// </summary>
internal sealed class ServiceReports(
    ServiceNotifier notifier, Liveness liveness, TimeProvider clock, IHostApplicationLifetime lifetime,
    IExceptionSink? exceptions = null)
    : IHostedService, IReloadObserver, IDisposable
{
    /// <summary>The label of its timers in metrics.</summary>
    public const string LoopName = "service_timer";

    // A start may take long while zones are read: the timeout is extended repeatedly.
    private static readonly TimeSpan StartInterval = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);

    private readonly IExceptionSink _exceptions = exceptions ?? IExceptionSink.None;
    private readonly Lock _gate = new();
    private readonly TaskCompletionSource _firstServing = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ITimer? _watchdog, _start;
    private bool _hasBegun, _isReady;

    /// <summary>Completes when all zones have been read, and signed, for the first time.</summary>
    public Task FirstServing => _firstServing.Task;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        Begin();
        return Task.CompletedTask;
    }

    /// <summary>Starts reporting, unless started: earlier than other services if zones are read before them.</summary>
    public void Begin()
    {
        lock (_gate)
        {
            if (!notifier.IsConnected || _hasBegun) return;
            _hasBegun = true;
            lifetime.ApplicationStopping.Register(notifier.Stopping);
            TimeSpan half = notifier.WatchdogInterval / 2;
            if (half > TimeSpan.Zero)
                _watchdog = clock.CreateTimer(_exceptions, LoopName, SendWatchdog, TimeSpan.Zero, half);
            if (!_isReady)
                _start = clock.CreateTimer(_exceptions, LoopName, StillStarting, TimeSpan.Zero,
                    StartInterval);
        }
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>All zones have been read, and signed: the server is ready.</summary>
    public void OnServing(ZoneTotals zones)
    {
        lock (_gate)
        {
            _isReady = true;
            _start?.Dispose();
            notifier.Ready(StatusOf(zones));
            _firstServing.TrySetResult();
        }
    }

    public void OnChanged(ZoneStatusReader zones)
    {
        // Summing up visits all zones, so only with a service manager.
        if (notifier.IsConnected) notifier.Status(StatusOf(zones.ReadTotals()));
    }

    public void OnReloading() => notifier.Reloading();

    /// <summary>Another process replaces this one and reports from now on.</summary>
    public void OnTakenOver(int process)
    {
        lock (_gate) _watchdog?.Dispose();
        notifier.ReportTakeover(process);
    }

    public void Dispose()
    {
        _watchdog?.Dispose();
        _start?.Dispose();
    }

    internal static string StatusOf(ZoneTotals zones)
    {
        string text = $"Serving {Counted.Of(zones.Serving, "zone")} with {Counted.Of(zones.Records, "record")}";
        return zones.Count == zones.Serving ? text : $"{text}; {zones.Count - zones.Serving:N0} broken";
    }

    private void SendWatchdog()
    {
        // Without a keep-alive the manager restarts the server; its status then has the reason.
        if (liveness.Problem is { } problem) notifier.Status(problem);
        else notifier.Watchdog();
    }

    private void StillStarting()
    {
        lock (_gate)
        {
            if (!_isReady) notifier.ExtendTimeout(StartTimeout, "Reading and signing zones");
        }
    }
}
