namespace Dns.Server;

/// <summary>
/// Files that the server would write, in directories that do not exist. A start goes on without them, and a service manager may
/// make them first: a warning.
/// </summary>
internal static class MissingDirectories
{
    /// <summary>A line for each.</summary>
    public static IEnumerable<string> Find(Settings settings)
    {
        ServerOptions options = settings.Options;
        (string Setting, string? Path)[] files =
        [
            ("Dns:QueryLog:File", options.QueryLog.File), ("Dns:Dnstap:File", options.Dnstap.File),
            ("Dns:Dnstap:Socket", options.Dnstap.Socket), ("Dns:Cache:File", options.Cache.File),
            // On Windows it is no file.
            ("Dns:Control:Socket", OperatingSystem.IsWindows() ? null : options.Control.Socket),
        ];
        foreach (var (setting, path) in files)
            if (Path.GetDirectoryName(path) is { Length: > 0 } directory && !Directory.Exists(directory))
                yield return $"{settings.File ?? "command line"}: warning: {setting}: there is no directory {directory}";
    }
}
