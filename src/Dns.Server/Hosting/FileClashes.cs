namespace Dns.Server.Hosting;

/// <summary>
/// Files that the server writes and that are something else as well, such as a zone file, which the first line of a log
/// would destroy. For <c>dnsd check</c> and the start.
/// </summary>
internal sealed class FileClashes
{
    private static readonly StringComparer Comparer =
        OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    private readonly Dictionary<string, string> _directories = new(Comparer);
    private readonly Dictionary<string, WrittenFile> _written = new(Comparer);

    private FileClashes()
    {
    }

    /// <summary>Finds each; none while the settings have errors of their own.</summary>
    /// <param name="zones">The zones of the settings and of commands.</param>
    /// <param name="stateFile">Where the zones of commands are kept; null = nowhere.</param>
    public static IEnumerable<SettingDiagnostic> Find(
        Settings settings, ZoneExpansion zones, string? stateFile = null)
    {
        if (settings.Root is not { } root) return [];
        FileClashes clashes = new();
        List<SettingDiagnostic> found = [];
        void Report(WrittenFile written, string other) => found.Add(new SettingDiagnostic(
            StartDiagnostics.LocationOf(root, written.Key),
            $"{written.Key} is \"{written.Path}\", which is {other}: expected a file of its own"));

        foreach (WrittenFile file in StartDiagnostics.WrittenFiles(settings))
        {
            if (ExclusiveFile.IsOfSystem(file.Path)) continue;
            if (clashes._written.TryAdd(clashes.TargetOf(file.Path), file)) continue;
            string earlier = clashes._written[clashes.TargetOf(file.Path)].Key;
            // Serilog knows whether its sinks share a file.
            if (!IsOfSerilog(file.Key) || !IsOfSerilog(earlier)) Report(file, $"{earlier} as well");
        }
        if (clashes._written.Count == 0) return found;
        foreach (var (path, use) in Used(settings, root, zones, stateFile))
            if (clashes._written.TryGetValue(clashes.RealPathOf(path), out WrittenFile? written))
                Report(written, use);
        foreach (ZoneOptions zone in settings.Options.Zones)
            if (zone is { Name: null, Path: { } directory })
                foreach (var (path, written) in clashes._written)
                    if (Comparer.Equals(Path.GetDirectoryName(path), clashes.RealDirectoryOf(directory))
                        && ZoneDirectory.Holds(directory, zone.Pattern, Path.GetFileName(path)))
                        Report(written, $"a zone file of {zone.Key}:Directory");
        return found;
    }

    /// <summary>Files that are read, and what each is.</summary>
    private static IEnumerable<(string Path, string Use)> Used(
        Settings settings, SettingNode root, ZoneExpansion zones, string? stateFile)
    {
        string directory = Environment.CurrentDirectory;
        if (settings.File is { } file)
        {
            yield return (Path.GetFullPath(file), "the settings file");
            directory = Path.GetDirectoryName(Path.GetFullPath(file))!;
        }
        if (stateFile is not null) yield return (stateFile, "where zones that commands add are kept");
        if (settings.Options.Of(DnstapOptions.Section).Socket is { } socket)
            yield return (socket, "Dns:Dnstap:Socket as well");
        foreach (SettingNode key in root.Find("Dns")?.Find("TsigKeys")?.Children ?? [])
            if (key.Find("SecretFile")?.Value is { } secret)
                yield return (Path.GetFullPath(secret, directory), $"Dns:TsigKeys:{key.Name}:SecretFile as well");
        foreach (ZoneOptions zone in settings.Options.Zones)
            if (zone is { Name: not null, Path: { } path }) yield return (path, $"{zone.Key}:File as well");
        foreach (ZoneFile added in zones.OfCommands)
            yield return (added.Path, $"the file of zone {added.Zone}, which \"dnsd zone add\" added");
    }

    private static bool IsOfSerilog(string key) => key.StartsWith("Serilog:", StringComparison.OrdinalIgnoreCase);

    /// <summary>The file that is written in the end: a sink of the log follows a symlink.</summary>
    private string TargetOf(string path) => RealPathOf(TryResolve(new FileInfo(path)) ?? path);

    /// <summary>A path without the symlinks of its directories.</summary>
    private string RealPathOf(string path) =>
        Path.Join(RealDirectoryOf(Path.GetDirectoryName(path) ?? ""), Path.GetFileName(path));

    private string RealDirectoryOf(string directory)
    {
        directory = Path.TrimEndingDirectorySeparator(directory);
        if (_directories.TryGetValue(directory, out string? known)) return known;
        if (Path.GetDirectoryName(directory) is not { Length: > 0 } parent) return directory;
        string real = Path.Join(RealDirectoryOf(parent), Path.GetFileName(directory));
        return _directories[directory] = TryResolve(new DirectoryInfo(real)) ?? real;
    }

    /// <summary>The target of a symlink; null if it is none, or cannot be followed.</summary>
    private static string? TryResolve(FileSystemInfo file)
    {
        try
        {
            return file.ResolveLinkTarget(returnFinalTarget: true)?.FullName;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
