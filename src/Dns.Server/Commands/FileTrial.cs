using Microsoft.Extensions.Configuration;

namespace Dns.Server.Commands;

/// <summary>Whether this user can write the files that the settings name; leaves nothing behind.</summary>
internal static class FileTrial
{
    /// <summary>A line for each file that cannot be written, of valid settings.</summary>
    public static IEnumerable<string> Find(Settings settings)
    {
        foreach (var (key, path) in StartDiagnostics.WrittenFiles(settings))
        {
            // A cache is replaced by another file, and a socket is made.
            string? fault = key is "Dns:Cache:File" or StartDiagnostics.ControlSocket ? FindDirectoryFault(path)
                : StartDiagnostics.IsLogFile(key) ? null : WriteTrial.FindFault(path);
            if (key == StartDiagnostics.QueryLogFile) fault ??= QueryLogFile.FindFault(path);
            if (fault is not null) yield return new FileFault(key, path, fault).ToString();
        }
        foreach (FileFault fault in SinksOf(settings.Configuration).Faults) yield return fault.ToString();
    }

    /// <summary>A line if the socket of another program has no directory to be in; null if it has.</summary>
    public static string? FindSocketFault(ServerOptions options)
    {
        string? directory = Path.GetDirectoryName(options.Dnstap.Socket);
        return directory is null || Directory.Exists(directory)
            ? null : $"Dns:Dnstap:Socket: there is no directory {directory}";
    }

    /// <summary>The sinks of the log, with those whose files cannot be written.</summary>
    public static LogSinks SinksOf(IConfiguration settings) => LogSinks.Of(
        settings,
        // The name of a rolling file has a time, which is that of its first line.
        (path, isRolling) => isRolling ? FindDirectoryFault(path) : WriteTrial.FindFault(path));

    private static string? FindDirectoryFault(string path) =>
        WriteTrial.FindDirectoryFault(Path.GetDirectoryName(Path.GetFullPath(path)));
}
