using System.Diagnostics.CodeAnalysis;
using Serilog.Core;
using Serilog.Events;

namespace Dns.Hosting;

/// <summary>
/// Escapes control characters in what lines of the log are about: names of files and zones, texts of settings and of other
/// programs. A terminal that shows the log, now or from a file later, would do what they say.
/// </summary>
/// <remarks>Sinks render the properties of a line wherever they lead to, so that this holds for each of them.</remarks>
internal sealed class PlainProperties : ILogEventEnricher
{
    /// <inheritdoc/>
    public void Enrich(LogEvent logEvent, ILogEventPropertyFactory propertyFactory)
    {
        List<LogEventProperty>? escaped = null;
        foreach ((string name, LogEventPropertyValue value) in logEvent.Properties)
            if (TryEscape(value, out LogEventPropertyValue? plain)) (escaped ??= []).Add(new LogEventProperty(name, plain));
        escaped?.ForEach(logEvent.AddOrUpdateProperty);
    }

    /// <summary>Escapes a value. False if it is plain, as nearly all are.</summary>
    private static bool TryEscape(LogEventPropertyValue value, [NotNullWhen(true)] out LogEventPropertyValue? plain)
    {
        plain = value switch
        {
            ScalarValue { Value: string text } when !EscapingWriter.IsPlain(text) => new ScalarValue(EscapingWriter.Escape(text)),
            SequenceValue sequence when sequence.Elements.Any(element => TryEscape(element, out _)) =>
                new SequenceValue(sequence.Elements.Select(element => TryEscape(element, out var part) ? part : element)),
            _ => null,
        };
        return plain is not null;
    }
}
