using Dns.Protocol;
using Microsoft.Extensions.Hosting;

namespace Dns.Server;

/// <summary>
/// Reports the life of the server to the service manager: ready once the zones have been read, the sign of life while it
/// runs, reloads, the stop. It does so from the thread pool, which is what the sign of life shows to be working.
/// </summary>
internal sealed class ServiceReports(
    ServiceNotifier notifier, Liveness liveness, TimeProvider clock, IHostApplicationLifetime lifetime,
    IExceptionSink? exceptions = null)
    : IHostedService, IDisposable
{
    // A start may take long as long as zones are being read: every so often the manager is asked to wait on.
    private static readonly TimeSpan StartInterval = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan StartPatience = TimeSpan.FromSeconds(60);

    private readonly IExceptionSink _exceptions = exceptions ?? IExceptionSink.None;
    private readonly Lock _gate = new();
    private readonly TaskCompletionSource _firstServing = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ITimer? _life, _start;
    private bool _hasBegun, _isReady;

    /// <summary>Completes when all zones have been read for the first time.</summary>
    public Task FirstServing => _firstServing.Task;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        Begin();
        return Task.CompletedTask;
    }

    /// <summary>Begins to report, unless that has been done: before the start of the others where zones are read before it.</summary>
    public void Begin()
    {
        lock (_gate)
        {
            if (!notifier.IsConnected || _hasBegun) return;
            _hasBegun = true;
            lifetime.ApplicationStopping.Register(notifier.Stopping);
            TimeSpan half = notifier.WatchdogInterval / 2;
            if (half > TimeSpan.Zero)
                _life = clock.CreateTimer(_exceptions, ServerLoop.ServiceTimer, SignOfLife, TimeSpan.Zero, half);
            if (!_isReady)
                _start = clock.CreateTimer(_exceptions, ServerLoop.ServiceTimer, StillStarting, TimeSpan.Zero, StartInterval);
        }
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>All zones have been read: the server is ready, or ready again.</summary>
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

    /// <summary>Zones have come, gone or changed while the server runs.</summary>
    public void OnChanged(ZoneStatusReader zones)
    {
        // Summing up goes over all zones: only with a service manager.
        if (notifier.IsConnected) notifier.Status(StatusOf(zones.ReadTotals()));
    }

    /// <summary>Settings or zones are being read again, by request.</summary>
    public void OnReloading() => notifier.Reloading();

    /// <summary>Another process is the server from now on, and says itself how it is: this one says no more.</summary>
    public void OnHandedOver(int process)
    {
        lock (_gate) _life?.Dispose();
        notifier.HandOver(process);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _life?.Dispose();
        _start?.Dispose();
    }

    /// <summary>What the manager shows of the server.</summary>
    internal static string StatusOf(ZoneTotals zones)
    {
        string text = $"Serving {Counted.Of(zones.Serving, "zone")} with {Counted.Of(zones.Records, "record")}";
        return zones.Count == zones.Serving ? text : $"{text}; {zones.Count - zones.Serving:N0} broken";
    }

    private void SignOfLife()
    {
        // Without a sign of life the manager starts the server anew; its status then says why.
        if (liveness.Problem is { } problem) notifier.Status(problem);
        else notifier.Watchdog();
    }

    private void StillStarting()
    {
        lock (_gate)
        {
            if (!_isReady) notifier.ExtendTimeout(StartPatience, "Reading zones");
        }
    }
}
