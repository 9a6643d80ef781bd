using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Serilog.Events;

namespace Dns.Management.Operations;

/// <summary>
/// The commands of an operator for a running server: every interface calls these, and shows their result or <see
/// cref="OperationException"/>. Thread-safe.
/// </summary>
public sealed class ServerOperations(
    LogLevels levels, IHostApplicationLifetime lifetime, ILogger<ServerOperations> logger)
{
    /// <summary>Sets the minimum log level, until the settings are read again.</summary>
    public void SetLogLevel(LogEventLevel level)
    {
        levels.Least = level;
        logger.LogLevelChanged(level);
    }

    /// <summary>Stops the server, as SIGTERM does. Returns before it has stopped.</summary>
    public void Stop() => lifetime.StopApplication();
}
