using Serilog.Core;
using Serilog.Events;

namespace Dns.Hosting.Log;

/// <summary>
/// Escapes control characters and line ends in the properties of log lines, for all sinks: names of files and zones,
/// texts of settings and of other programs. A terminal that shows the log would otherwise execute them, and a line end
/// forge a line. The exception of a line is no property: its stack trace keeps its lines.
/// </summary>
public sealed class PlainProperties : ILogEventEnricher
{
    public void Enrich(LogEvent logEvent, ILogEventPropertyFactory propertyFactory)
    {
        List<LogEventProperty>? escaped = null;
        foreach ((string name, LogEventPropertyValue value) in logEvent.Properties)
            if (TryEscape(value, out LogEventPropertyValue? plain))
                (escaped ??= []).Add(new LogEventProperty(name, plain));
        escaped?.ForEach(logEvent.AddOrUpdateProperty);
    }

    /// <summary>Escapes a value. False if it has none, as nearly all.</summary>
    private static bool TryEscape(LogEventPropertyValue value, [NotNullWhen(true)] out LogEventPropertyValue? plain)
    {
        plain = value switch
        {
            ScalarValue { Value: string text } when !EscapingWriter.IsPlainPart(text) =>
                new ScalarValue(EscapingWriter.EscapePart(text)),
            SequenceValue sequence when sequence.Elements.Any(element => TryEscape(element, out _)) =>
                new SequenceValue(
                    sequence.Elements.Select(element => TryEscape(element, out var part) ? part : element)),
            _ => null,
        };
        return plain is not null;
    }
}
