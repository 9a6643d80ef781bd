using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.Versioning;
using System.Security;
using Serilog.Core;
using Serilog.Events;
using Serilog.Formatting.Display;

namespace Dns.Hosting.Native;

/// <summary>Log lines in the Windows event log Application, source <c>dnsd</c>. Failed writes are ignored.</summary>
[SupportedOSPlatform("windows")]
public sealed class EventLogSink : ILogEventSink
{
    // The log takes 31,839 characters for one entry.
    private const int MaxCharacters = 31_000;
    private static readonly MessageTemplateTextFormatter Formatter = new("{Message:lj}{NewLine}{Exception}");

    public void Emit(LogEvent logEvent)
    {
        StringWriter text = new();
        Formatter.Format(logEvent, text);
        Write(text.ToString(), EventIds.NumberOf(logEvent), logEvent.Level switch
        {
            LogEventLevel.Fatal or LogEventLevel.Error => EventLogEntryType.Error,
            LogEventLevel.Warning => EventLogEntryType.Warning,
            _ => EventLogEntryType.Information,
        });
    }

    /// <summary>Writes why the server cannot run.</summary>
    public static void WriteError(string text) => Write(text, 0, EventLogEntryType.Error);

    private static void Write(string text, int id, EventLogEntryType type)
    {
        try
        {
            EventLog.WriteEntry(ServiceDefinition.Name,
                text.Length > MaxCharacters ? text[..MaxCharacters] : text, type, id);
        }
        catch (Exception error) when (error is InvalidOperationException or Win32Exception or SecurityException
            or ArgumentException)
        {
            // There is no other place to report it.
        }
    }
}
