using System.Reflection;
using Dns.Hosting.Native;
using Serilog.Sinks.File;

namespace Dns.Hosting.Log;

/// <summary>
/// Files of the log to which two processes append during a takeover: the sink writes at its own position, over the
/// lines of the other.
/// </summary>
public sealed class AppendedFiles : FileLifecycleHooks
{
    // With a limit of size, a stream of the sink counts the octets for the file inside.
    private static readonly FieldInfo? s_counted =
        Type.GetType("Serilog.Sinks.File.WriteCountingStream, Serilog.Sinks.File")
            ?.GetField("_stream", BindingFlags.Instance | BindingFlags.NonPublic);

    private AppendedFiles()
    {
    }

    /// <summary>The only one, named by the argument <c>hooks</c> of a sink.</summary>
    public static AppendedFiles Instance { get; } = new();

    /// <inheritdoc/>
    public override Stream OnFileOpened(Stream underlyingStream, Encoding encoding)
    {
        object? file = underlyingStream is FileStream || s_counted?.DeclaringType != underlyingStream.GetType()
            ? underlyingStream : s_counted.GetValue(underlyingStream);
        if (OperatingSystem.IsLinux() && file is FileStream { SafeFileHandle: var handle }) AppendMode.Set(handle);
        return underlyingStream;
    }
}
