using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Serilog.Events;

namespace Dns.Management.Operations;

/// <summary>
/// The commands of an operator for a running server: every interface calls these, and shows their result or <see
/// cref="OperationException"/>. Thread-safe.
/// </summary>
internal sealed class ServerOperations(
    LogLevels levels, IHostApplicationLifetime lifetime, ILogger<ServerOperations> logger, Forwarder? forwarder = null,
    IQueryLog? queries = null)
{
    private AnswerCache Cache => forwarder?.Cache
        ?? throw new OperationException(OperationError.NotConfigured,
            "no forwarding is configured, so there is no cache");

    /// <summary>Flushes the cache (null = all), a name, or all at and below it; returns the number removed.</summary>
    public int FlushCache(DomainName? name, bool withBelow) =>
        name is null ? Cache.Flush() : withBelow ? Cache.FlushBelow(name) : Cache.Flush(name);

    public CacheContent LookUpCache(DomainName name) =>
        new(name.ToString(), [.. Cache.Lookup(name).Select(CacheLine.Of)]);

    /// <summary>Sets the minimum log level, until the settings are read again.</summary>
    public void SetLogLevel(LogEventLevel level)
    {
        levels.Least = level;
        logger.LogLevelChanged(level);
    }

    public void SetQueryLog(bool isOn)
    {
        if (queries is null) throw new OperationException(OperationError.NotConfigured, "no query log is configured");
        queries.IsOn = isOn;
    }

    /// <summary>Stops the server, as SIGTERM does. Returns before it has stopped.</summary>
    public void Stop() => lifetime.StopApplication();
}
