using Microsoft.Extensions.Hosting;

namespace Dns.Server;

/// <summary>Adds to the history, and lets old samples fade.</summary>
internal sealed class HistoryClock(History history, ServerSources sources, TimeProvider clock) : IHostedService, IDisposable
{
    private ITimer? _steps, _fading;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _steps = clock.CreateTimer(_ => history.Add(), null, History.Step, History.Step);
        _fading = clock.CreateTimer(_ => sources.Watch?.Top.Fade(), null, TopClients.FadeInterval, TopClients.FadeInterval);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _steps?.Dispose();
        _fading?.Dispose();
    }
}
