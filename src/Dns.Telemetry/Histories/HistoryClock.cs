using Microsoft.Extensions.Hosting;

namespace Dns.Telemetry.Histories;

/// <summary>Adds to the history, and lets old samples fade.</summary>
public sealed class HistoryClock(History history, ServerSources sources, TimeProvider clock,
    IExceptionSink exceptions)
    : IHostedService, IDisposable
{
    private ITimer? _steps, _fading;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _steps = clock.CreateTimer(exceptions, TelemetryLoops.HistoryTimer, history.Add, History.Step, History.Step);
        _fading = clock.CreateTimer(
            exceptions, TelemetryLoops.HistoryTimer, () => sources.AnswerTimes?.Top.Fade(), TopClients.FadeInterval,
            TopClients.FadeInterval);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        return Task.CompletedTask;
    }

    public void Dispose()
    {
        _steps?.Dispose();
        _fading?.Dispose();
    }
}
