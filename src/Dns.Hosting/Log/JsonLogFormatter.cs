using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using Serilog.Core;
using Serilog.Events;
using Serilog.Formatting;
using Serilog.Formatting.Display;

namespace Dns.Hosting.Log;

/// <summary>Log lines as JSON objects, one a line, with the stable fields of docs/reference/log-events.md.</summary>
public sealed class JsonLogFormatter : ITextFormatter
{
    private const string EventId = "EventId";

    private static readonly MessageTemplateTextFormatter Message = new("{Message:lj}", CultureInfo.InvariantCulture);

    // Control characters, quotes and unpaired surrogates are escaped; HTML characters are not.
    private static readonly JsonWriterOptions Readable =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public void Format(LogEvent logEvent, TextWriter output) => output.WriteLine(TextOf(logEvent));

    /// <summary>The object, without the end of the line.</summary>
    public static string TextOf(LogEvent logEvent)
    {
        StringWriter message = new(CultureInfo.InvariantCulture);
        Message.Format(logEvent, message);
        ArrayBufferWriter<byte> buffer = new();
        using (Utf8JsonWriter json = new(buffer, Readable))
        {
            json.WriteStartObject();
            json.WriteString(
                "timestamp",
                logEvent.Timestamp.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.ffffffZ", CultureInfo.InvariantCulture));
            json.WriteString("level", logEvent.Level.ToString().ToLowerInvariant());
            json.WriteString("event", EventIds.Of(logEvent));
            json.WriteString("message", message.ToString());
            if (logEvent.Properties.GetValueOrDefault(Constants.SourceContextPropertyName)
                is ScalarValue { Value: string source })
                json.WriteString("source", source);
            json.WriteStartObject("properties");
            foreach ((string name, LogEventPropertyValue value) in logEvent.Properties)
            {
                if (name is EventIds.Property or EventId or Constants.SourceContextPropertyName) continue;
                json.WritePropertyName(name);
                Write(json, value);
            }
            json.WriteEndObject();
            if (logEvent.Exception is { } exception) json.WriteString("exception", exception.ToString());
            json.WriteEndObject();
        }
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private static void Write(Utf8JsonWriter json, LogEventPropertyValue value)
    {
        switch (value)
        {
            case ScalarValue scalar:
                Write(json, scalar.Value);
                break;
            case SequenceValue list:
                json.WriteStartArray();
                foreach (LogEventPropertyValue element in list.Elements) Write(json, element);
                json.WriteEndArray();
                break;
            case StructureValue structure:
                json.WriteStartObject();
                foreach (LogEventProperty member in structure.Properties)
                {
                    json.WritePropertyName(member.Name);
                    Write(json, member.Value);
                }
                json.WriteEndObject();
                break;
            default:
                json.WriteStringValue(value.ToString());
                break;
        }
    }

    /// <summary>Numbers and booleans are those of JSON, everything else is text.</summary>
    private static void Write(Utf8JsonWriter json, object? value)
    {
        switch (value)
        {
            case null:
                json.WriteNullValue();
                break;
            case bool flag:
                json.WriteBooleanValue(flag);
                break;
            case sbyte or byte or short or ushort or int or uint or long:
                json.WriteNumberValue(Convert.ToInt64(value, CultureInfo.InvariantCulture));
                break;
            case ulong number:
                json.WriteNumberValue(number);
                break;
            case double number when double.IsFinite(number):
                json.WriteNumberValue(number);
                break;
            case float number when float.IsFinite(number):
                json.WriteNumberValue(number);
                break;
            case decimal number:
                json.WriteNumberValue(number);
                break;
            case DateTimeOffset time:
                json.WriteStringValue(time);
                break;
            default:
                json.WriteStringValue(Convert.ToString(value, CultureInfo.InvariantCulture));
                break;
        }
    }
}
