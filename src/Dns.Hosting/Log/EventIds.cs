using Serilog.Core;
using Serilog.Events;

namespace Dns.Hosting.Log;

/// <summary>
/// Gives each line of the log a property <c>Event</c>, the id of its event as docs/reference/log-events.md lists it:
/// <c>D201</c>. Lines of the libraries below have <c>-</c>.
/// </summary>
public sealed class EventIds : ILogEventEnricher
{
    /// <summary>The property's name, for output templates.</summary>
    public const string Property = "Event";

    private const string Sources = nameof(Dns) + ".";

    public void Enrich(LogEvent logEvent, ILogEventPropertyFactory propertyFactory) =>
        logEvent.AddPropertyIfAbsent(new LogEventProperty(Property, new ScalarValue(Of(logEvent))));

    public static string Of(LogEvent logEvent) => NumberOf(logEvent) is > 0 and int number ? $"D{number}" : "-";

    /// <summary>The number of an event of this server; 0 for lines of others.</summary>
    public static int NumberOf(LogEvent logEvent) =>
        logEvent.Properties.TryGetValue(Constants.SourceContextPropertyName, out LogEventPropertyValue? source)
        && source is ScalarValue { Value: string name } && name.StartsWith(Sources, StringComparison.Ordinal)
        && logEvent.Properties.TryGetValue("EventId", out LogEventPropertyValue? id) && id is StructureValue parts
        && parts.Properties.FirstOrDefault(part => part.Name == "Id")?.Value is ScalarValue { Value: int number }
            ? number : 0;
}
