using Microsoft.Extensions.Configuration;
using Serilog;
using Serilog.Core;
using Serilog.Events;

namespace Dns.Hosting;

/// <summary>The least important level that is logged, which can be changed while the server runs.</summary>
internal sealed class LogLevels
{
    private readonly LoggingLevelSwitch _least = new();

    /// <summary>The level.</summary>
    public LogEventLevel Least
    {
        get => _least.MinimumLevel;
        set => _least.MinimumLevel = value;
    }

    /// <summary>Lets a log obey; levels of single sources stay what its settings say.</summary>
    public void Attach(LoggerConfiguration logger, IConfiguration settings)
    {
        Least = LevelOf(settings);
        logger.MinimumLevel.ControlledBy(_least);
    }

    /// <summary>The level in settings.</summary>
    public static LogEventLevel LevelOf(IConfiguration settings)
    {
        IConfigurationSection level = settings.GetSection("Serilog:MinimumLevel");
        return Enum.TryParse(level.Value ?? level["Default"], ignoreCase: true, out LogEventLevel least)
            ? least : LogEventLevel.Information;
    }
}
