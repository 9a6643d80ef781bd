using System.Collections.Concurrent;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Metrics;

/// <summary>
/// Unexpected exceptions of loops and timers: counted by loop, and logged once for each loop and type of exception, so
/// that a message that is sent again and again makes one line.
/// </summary>
/// <remarks>Made before the log is; what is reported until <see cref="Logger"/> is set is only counted.</remarks>
internal sealed class LoopExceptions : IExceptionSink
{
    /// <summary>Octets of a message that are logged.</summary>
    internal const int MaxLoggedOctets = 512;

    private const int MaxLogged = 256;

    private static readonly string[] Labels =
        [.. Enum.GetNames<ServerLoop>().Select(name => JsonNamingPolicy.SnakeCaseLower.ConvertName(name))];

    private readonly long[] _counts = new long[Labels.Length];
    private readonly ConcurrentDictionary<(ServerLoop Loop, Type Type), bool> _logged = new();

    public ILogger<LoopExceptions>? Logger { get; set; }

    /// <summary>What was reported by each loop since the start.</summary>
    public IEnumerable<(string Loop, long Count)> Counts =>
        Labels.Select((label, i) => (label, Interlocked.Read(ref _counts[i])));

    public long CountOf(ServerLoop loop) => Interlocked.Read(ref _counts[(int)loop]);

    /// <summary>The label of a loop in metrics and the log: <c>udp_receive</c>.</summary>
    public static string LabelOf(ServerLoop loop) => Labels[(int)loop];

    public void Report(ServerLoop loop, Exception exception, ReadOnlySpan<byte> message)
    {
        Interlocked.Increment(ref _counts[(int)loop]);
        try
        {
            if (Logger is { } logger && _logged.Count < MaxLogged && _logged.TryAdd((loop, exception.GetType()), true))
                logger.LoopFailed(exception, LabelOf(loop), TextOf(message));
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
