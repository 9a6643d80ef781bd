using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using Serilog.Events;

namespace Dns.Management.Tests.Operations;

public sealed class ServerOperationsTests : IHostApplicationLifetime
{
    private readonly LogLevels _levels = new();
    private bool _isStopping;

    CancellationToken IHostApplicationLifetime.ApplicationStarted => default;

    CancellationToken IHostApplicationLifetime.ApplicationStopping => default;

    CancellationToken IHostApplicationLifetime.ApplicationStopped => default;

    void IHostApplicationLifetime.StopApplication() => _isStopping = true;

    [Fact]
    public void The_log_level_changes_at_once_and_a_stop_is_requested()
    {
        ServerOperations operations = new(_levels, this, NullLogger<ServerOperations>.Instance);
        operations.SetLogLevel(LogEventLevel.Error);
        Assert.Equal(LogEventLevel.Error, _levels.Least);
        Assert.False(_isStopping);
        operations.Stop();
        Assert.True(_isStopping);
    }
}
