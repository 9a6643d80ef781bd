using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Reloading.Changes;

/// <summary>Reloads settings and zones on SIGHUP, one at a time; signals during a reload cause one more.</summary>
public sealed class ReloadSignal : BackgroundService
{
    // Never disposed: the signal would end the process during its stop.
    private static PosixSignalRegistration? s_ignored;

    private readonly SettingsReloader _settings;
    private readonly ZoneReloader _zones;
    private readonly ILogger<ReloadSignal> _logger;
    private readonly IExceptionSink _exceptions;
    private readonly SemaphoreSlim _wanted = new(0, 1);
    private readonly PosixSignalRegistration? _registration;

    /// <summary>Handles the signal from now on, which would end the process otherwise.</summary>
    public ReloadSignal(
        SettingsReloader settings, ZoneReloader zones, ILogger<ReloadSignal> logger, IExceptionSink? exceptions = null)
    {
        (_settings, _zones, _logger, _exceptions) = (settings, zones, logger, exceptions ?? IExceptionSink.None);
        // On Windows that signal means that the console closes.
        if (!OperatingSystem.IsWindows()) _registration = PosixSignalRegistration.Create(PosixSignal.SIGHUP, OnSignal);
    }

    /// <summary>Ignores the signal while it has no handler: before the service and after it.</summary>
    public static void Ignore()
    {
        if (OperatingSystem.IsWindows()) return;
        s_ignored = PosixSignalRegistration.Create(PosixSignal.SIGHUP, static context => context.Cancel = true);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await _zones.Loaded.Task.WaitAsync(stoppingToken).ConfigureAwait(false);
        while (true)
        {
            await _wanted.WaitAsync(stoppingToken).ConfigureAwait(false);
            try
            {
                await Task.Factory.StartNew(() => Reload(stoppingToken), stoppingToken, TaskCreationOptions.LongRunning,
                    TaskScheduler.Default).ConfigureAwait(false);
            }
            catch (Exception error) when (!stoppingToken.IsCancellationRequested)
            {
                // No thread available, or cancelled otherwise: the host would stop with the loop.
                _exceptions.Report(ReloadLoops.ReloadSignal, error, default);
            }
        }
    }

    public override void Dispose()
    {
        // Not disposed: a signal handler may be running.
        _registration?.Dispose();
        base.Dispose();
    }

    private void OnSignal(PosixSignalContext context)
    {
        // The default action ends the process.
        context.Cancel = true;
        lock (_wanted)
            if (_wanted.CurrentCount == 0) _wanted.Release();
    }

    private void Reload(CancellationToken cancellation)
    {
        try
        {
            _settings.Reload(isTrial: false, cancellation);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            _logger.ReloadFailed(error);
        }
    }
}
