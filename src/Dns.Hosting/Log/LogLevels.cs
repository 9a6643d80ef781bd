using Microsoft.Extensions.Configuration;
using Serilog;
using Serilog.Core;
using Serilog.Events;

namespace Dns.Hosting.Log;

/// <summary>The least important level that is logged, which can be changed while the server runs.</summary>
public sealed class LogLevels
{
    private readonly LoggingLevelSwitch _least = new();

    public LogEventLevel Least
    {
        get => _least.MinimumLevel;
        set => _least.MinimumLevel = value;
    }

    /// <summary>Controls the level of a log; levels of single sources stay those of its settings.</summary>
    public void Attach(LoggerConfiguration logger, IConfiguration settings)
    {
        Least = LevelOf(settings);
        logger.MinimumLevel.ControlledBy(_least);
    }

    public static LogEventLevel LevelOf(IConfiguration settings)
    {
        IConfigurationSection level = settings.GetSection("Serilog:MinimumLevel");
        return Enum.TryParse(level.Value ?? level["Default"], ignoreCase: true, out LogEventLevel least)
            ? least : LogEventLevel.Information;
    }
}
