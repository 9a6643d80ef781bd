using Microsoft.Extensions.Configuration;

namespace Dns.Server.Commands;

/// <summary>Whether this user can write the files that the settings name; leaves nothing behind.</summary>
internal static class FileTrial
{
    /// <summary>A line for each file that cannot be written, of valid settings.</summary>
    public static IEnumerable<string> Find(Settings settings)
    {
        ServerOptions options = settings.Options;
        (string Key, string? Path, string? Fault)[] files =
        [
            Try("Dns:QueryLog:File", options.QueryLog.File), Try("Dns:Dnstap:File", options.Dnstap.File),
            // Another file replaces it.
            TryDirectory("Dns:Cache:File", options.CacheFile),
            // On Windows it is not a file.
            TryDirectory("Dns:Control:Socket", OperatingSystem.IsWindows() ? null : options.Control.Socket),
        ];
        return files.Where(file => file.Fault is not null)
            .Select(file => new FileFault(file.Key, file.Path!, file.Fault!).ToString())
            .Concat(SinksOf(settings.Configuration).Faults.Select(fault => fault.ToString()));
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
        (path, isRolling) => isRolling ? TryDirectory("", path).Fault : WriteTrial.FindFault(path));

    private static (string Key, string? Path, string? Fault) Try(string key, string? path) =>
        (key, path, path is null ? null : WriteTrial.FindFault(path));

    private static (string Key, string? Path, string? Fault) TryDirectory(string key, string? path) =>
        (key, path, path is null ? null : WriteTrial.FindDirectoryFault(Path.GetDirectoryName(Path.GetFullPath(path))));
}
