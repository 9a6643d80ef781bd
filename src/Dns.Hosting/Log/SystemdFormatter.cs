using Serilog.Events;
using Serilog.Formatting;
using Serilog.Formatting.Display;

namespace Dns.Hosting.Log;

/// <summary>
/// Lines for the systemd journal: each begins with its priority as <c>&lt;N&gt;</c> (sd-daemon(3)), without a time,
/// which the journal adds, except in JSON.
/// </summary>
/// <param name="isJson">Whether the priority is followed by a JSON object.</param>
public sealed class SystemdFormatter(bool isJson = false) : ITextFormatter
{
    private static readonly MessageTemplateTextFormatter Message = new("{Event} {Message:lj}");

    /// <summary>
    /// Whether a stream of this process leads to the journal: <c>JOURNAL_STREAM</c> has the device and inode of the
    /// manager's socket. A redirected stream has others.
    /// </summary>
    /// <param name="target">The descriptor's target, from <c>/proc/self/fd</c>.</param>
    public static bool IsJournal(string? journalStream, string? target)
    {
        int colon = journalStream?.IndexOf(':') ?? -1;
        return colon > 0 && target == $"socket:[{journalStream![(colon + 1)..]}]";
    }

    /// <summary>The same for a stream of this process: 1 = standard output, 2 = standard error.</summary>
    public static bool IsJournal(int descriptor) => OperatingSystem.IsLinux()
        && Environment.GetEnvironmentVariable("JOURNAL_STREAM") is { } stream
        && IsJournal(stream, new FileInfo($"/proc/self/fd/{descriptor}").LinkTarget);

    public void Format(LogEvent logEvent, TextWriter output)
    {
        int priority = PriorityOf(logEvent.Level);
        if (isJson)
        {
            output.WriteLine($"<{priority}>{JsonLogFormatter.TextOf(logEvent)}");
            return;
        }
        StringWriter message = new();
        Message.Format(logEvent, message);
        output.WriteLine($"<{priority}>{message.ToString().ReplaceLineEndings(" ")}");
        if (logEvent.Exception is null) return;
        foreach (ReadOnlySpan<char> line in logEvent.Exception.ToString().AsSpan().EnumerateLines())
            output.WriteLine($"<{priority}>{line}");
    }

    /// <summary>The priority of a level, syslog(3).</summary>
    private static int PriorityOf(LogEventLevel level) => level switch
    {
        LogEventLevel.Fatal => 2,
        LogEventLevel.Error => 3,
        LogEventLevel.Warning => 4,
        LogEventLevel.Information => 6,
        _ => 7,
    };
}
