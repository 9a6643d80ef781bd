using Microsoft.Extensions.Logging;
using Serilog.Events;

namespace Dns.Server;

/// <summary>A log of queries that can be turned on and off while the server runs.</summary>
internal interface IQueryLog
{
    /// <summary>Whether queries are logged.</summary>
    bool IsOn { get; set; }
}

/// <summary><c>dnsd loglevel</c> and <c>dnsd querylog</c>.</summary>
internal sealed class LogVerbs(LogLevels levels, ILogger<LogVerbs> logger, IQueryLog? queries = null)
{
    /// <summary>Sets the least important level that is logged, until the settings are read again.</summary>
    public ControlReply Level(ControlCall call)
    {
        if (!Enum.TryParse(call.Argument(0), ignoreCase: true, out LogEventLevel level) || !Enum.IsDefined(level))
            throw new ControlException($"expected a level: {string.Join(", ", SerilogSetting.Levels)}");
        levels.Least = level;
        logger.LogLevelChanged(level);
        return call.Done($"log level {level}");
    }

    /// <summary>Turns the log of queries on or off.</summary>
    public ControlReply Queries(ControlCall call)
    {
        if (queries is null) throw new ControlException("no query log is configured");
        queries.IsOn = call.Argument(0) switch
        {
            "on" => true,
            "off" => false,
            _ => throw new ControlException("expected on or off"),
        };
        return call.Done($"query log {(queries.IsOn ? "on" : "off")}");
    }
}
