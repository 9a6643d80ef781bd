using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Hosting;

/// <summary>
/// Ticks rate limiting and cookies on a dedicated thread: if the pool is busy during an attack, the time must advance,
/// or the limiter would pass nothing.
/// </summary>
internal sealed class AbuseProtectionClock(
    AbuseProtection protection, TimeProvider clock, IExceptionSink exceptions, ILogger<AbuseProtectionClock> logger)
    : IHostedService, IDisposable
{
    private const int IntervalMs = 100;

    private readonly ManualResetEventSlim _stop = new();
    private readonly RateLimitLog _limitLog = new(() => protection.RateLimiter, clock, logger);
    private Thread? _thread;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        protection.Tick();
        _thread = new Thread(Run) { IsBackground = true, Name = "abuse clock" };
        _thread.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        _stop.Set();
        _thread?.Join();
        return Task.CompletedTask;
    }

    public void Dispose() => _stop.Dispose();

    private void Run()
    {
        while (!_stop.Wait(IntervalMs))
        {
            exceptions.TryRun(ServerLoop.DefenceClock, protection.Tick);
            exceptions.TryRun(ServerLoop.DefenceClock, _limitLog.Tick);
        }
    }
}
