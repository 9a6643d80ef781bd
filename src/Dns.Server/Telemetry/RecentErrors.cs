using Serilog.Core;
using Serilog.Events;

namespace Dns.Server;

/// <summary>The last lines of the log that are warnings or worse, for the status page. Bounded; thread-safe.</summary>
internal sealed class RecentErrors : ILogEventSink
{
    private const int Kept = 50;
    private const int MaxCharacters = 500;

    private readonly Lock _gate = new();
    private readonly Queue<LogLine> _lines = [];

    /// <inheritdoc/>
    public void Emit(LogEvent logEvent)
    {
        if (logEvent.Level < LogEventLevel.Warning) return;
        string text = logEvent.RenderMessage(System.Globalization.CultureInfo.InvariantCulture);
        if (text.Length > MaxCharacters) text = text[..MaxCharacters] + "…";
        lock (_gate)
        {
            if (_lines.Count == Kept) _lines.Dequeue();
            _lines.Enqueue(new LogLine(logEvent.Timestamp, logEvent.Level, text));
        }
    }

    /// <summary>The lines, the last first.</summary>
    public IReadOnlyList<LogLine> Read()
    {
        lock (_gate) return [.. _lines.Reverse()];
    }
}

/// <summary>One line of the log.</summary>
internal readonly record struct LogLine(DateTimeOffset At, LogEventLevel Level, string Text);
