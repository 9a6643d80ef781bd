using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Metrics;

/// <summary>
/// Unexpected exceptions of loops and timers: counted by loop, and logged once for each loop and type of exception, so
/// that a message that is sent again and again makes one line.
/// </summary>
/// <remarks>Made before the log is; what is reported until <see cref="Logger"/> is set is only counted.</remarks>
public sealed class LoopExceptions : IExceptionSink
{
    /// <summary>Octets of a message that are logged.</summary>
    internal const int MaxLoggedOctets = 512;

    private const int MaxLogged = 256;

    private readonly ConcurrentDictionary<string, long> _counts;
    private readonly ConcurrentDictionary<(string Loop, Type Type), bool> _logged = new();

    /// <summary>Counts those of any loop.</summary>
    /// <param name="loops">Loops that are shown before they report.</param>
    public LoopExceptions(params IEnumerable<string> loops) =>
        _counts = new(loops.Select(loop => KeyValuePair.Create(loop, 0L)));

    public ILogger<LoopExceptions>? Logger { get; set; }

    /// <summary>What was reported by each loop since the start.</summary>
    public IEnumerable<(string Loop, long Count)> Counts => _counts.Select(one => (one.Key, one.Value));

    public long CountOf(string loop) => _counts.GetValueOrDefault(loop);

    public void Report(string loop, Exception exception, ReadOnlySpan<byte> message)
    {
        try
        {
            _counts.AddOrUpdate(loop, 1, static (_, count) => count + 1);
            if (Logger is { } logger && _logged.Count < MaxLogged && _logged.TryAdd((loop, exception.GetType()), true))
                logger.LoopFailed(exception, loop, TextOf(message));
        }
        catch (Exception)
        {
            // Most likely no memory for the line: the next exception of its kind makes one.
            _logged.TryRemove((loop, exception.GetType()), out _);
        }
    }

    private static string TextOf(ReadOnlySpan<byte> message)
    {
        if (message.IsEmpty) return "no message";
        string octets = Convert.ToHexStringLower(message[..Math.Min(message.Length, MaxLoggedOctets)]);
        return message.Length <= MaxLoggedOctets ? octets : $"{octets}... ({message.Length} octets)";
    }
}
