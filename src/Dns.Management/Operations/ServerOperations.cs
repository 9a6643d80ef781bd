using Dns.Forwarding;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Serilog.Events;

namespace Dns.Management;

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

    /// <summary>
    /// Removes entries from the cache: all of them, those of a name, or those of a name and all names below it.
    /// </summary>
    /// <param name="name">The name; null = all.</param>
    /// <param name="withBelow">Whether to include names below it.</param>
    /// <returns>The number of removed entries.</returns>
    public int FlushCache(DomainName? name, bool withBelow) =>
        name is null ? Cache.Flush() : withBelow ? Cache.FlushBelow(name) : Cache.Flush(name);

    /// <summary>The cache entries of a name.</summary>
    public CacheContent LookUpCache(DomainName name) =>
        new(name.ToString(), [.. Cache.Lookup(name).Select(CacheLine.Of)]);

    /// <summary>Sets the minimum log level, until the settings are read again.</summary>
    public void SetLogLevel(LogEventLevel level)
    {
        levels.Least = level;
        logger.LogLevelChanged(level);
    }

    /// <summary>Turns the query log on or off.</summary>
    public void SetQueryLog(bool isOn)
    {
        if (queries is null) throw new OperationException(OperationError.NotConfigured, "no query log is configured");
        queries.IsOn = isOn;
    }

    /// <summary>Stops the server, as SIGTERM does. Returns before it has stopped.</summary>
    public void Stop() => lifetime.StopApplication();
}
