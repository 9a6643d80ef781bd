using Serilog.Core;
using Serilog.Events;
using Serilog.Formatting.Display;

namespace Dns.Telemetry.Events;

/// <summary>The last lines of the log that are warnings or worse, for the status page. Bounded; thread-safe.</summary>
public sealed class RecentErrors : ILogEventSink
{
    private const int Kept = 50;
    private const int MaxCharacters = 500;

    private static readonly MessageTemplateTextFormatter Message = new("{Message:lj}", CultureInfo.InvariantCulture);

    private readonly Lock _gate = new();
    private readonly Queue<LogLine> _lines = [];

    public void Emit(LogEvent logEvent)
    {
        if (logEvent.Level < LogEventLevel.Warning) return;
        StringWriter message = new();
        Message.Format(logEvent, message);
        string text = message.ToString();
        if (text.Length > MaxCharacters) text = text[..MaxCharacters] + "…";
        lock (_gate)
        {
            if (_lines.Count == Kept) _lines.Dequeue();
            _lines.Enqueue(new LogLine(logEvent.Timestamp, logEvent.Level, EventIds.Of(logEvent), text));
        }
    }

    /// <summary>The lines, the last first.</summary>
    public IReadOnlyList<LogLine> Read()
    {
        lock (_gate) return [.. _lines.Reverse()];
    }
}

/// <summary>One line of the log.</summary>
/// <param name="At">When it was written.</param>
/// <param name="Level">How bad it is.</param>
/// <param name="Event">The id of its event.</param>
/// <param name="Text">The message.</param>
public readonly record struct LogLine(DateTimeOffset At, LogEventLevel Level, string Event, string Text);
