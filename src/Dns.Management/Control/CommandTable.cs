using Microsoft.Extensions.Logging;

namespace Dns.Management.Control;

/// <summary>The commands of the control socket by their words, and what those of features may use.</summary>
public sealed class CommandTable(ZoneStatusReader zones, IZoneControl control, ILoggerFactory loggers)
{
    private readonly Dictionary<string, Func<ControlCall, ControlReply>> _commands = [];

    /// <summary>The zones.</summary>
    public ZoneStatusReader Zones => zones;

    /// <summary>Changes the zones of files.</summary>
    public IZoneControl Control => control;

    /// <summary>Makes the loggers.</summary>
    public ILoggerFactory Loggers => loggers;

    /// <summary>Adds a command.</summary>
    /// <param name="words">Its words: <c>cache flush</c>.</param>
    /// <param name="answer">Reads the arguments, does it, and replies; thread-safe.</param>
    /// <exception cref="ArgumentException">There is one of these words.</exception>
    public void Add(string words, Func<ControlCall, ControlReply> answer) => _commands.Add(words, answer);

    /// <summary>The command of these words; null if there is none.</summary>
    public Func<ControlCall, ControlReply>? Find(string words) => _commands.GetValueOrDefault(words);
}
