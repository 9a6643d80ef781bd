using Microsoft.Extensions.Configuration;

namespace Dns.Server.Hosting;

/// <summary>
/// Problems that prevent a start besides those of single settings: conflicts between settings, and requirements on the
/// machine. For <c>dnsd check</c> and the start; a reload opens nothing, so it needs no check.
/// </summary>
internal static class StartDiagnostics
{
    private const string PathArgument = ":Args:path";

    /// <summary>Finds every problem; none while the settings have errors of their own.</summary>
    public static IReadOnlyList<SettingDiagnostic> Find(Settings settings)
    {
        List<SettingDiagnostic> problems = [];
        if (settings.Root is not { } root) return problems;
        ServerOptions options = settings.Options;
        void Report(string key, string message) => problems.Add(new SettingDiagnostic(LocationOf(root, key), message));

        foreach (SettingProblem problem in ServerFeatures.All.Check(settings)) Report(problem.Key, problem.Message);
        if (options.Of(AdminOptions.Section).Listen is { Port: > 0 } admin
            && options.Listen.FirstOrDefault(dns => ListenerAddress.Overlap(dns.EndPoint, admin)) is { } clash)
            Report("Dns:Admin:Listen", $"Dns:Admin:Listen is \"{admin}\", where Dns:Listen has {clash.EndPoint} for "
                + "TCP: expected another port");
        foreach (var (key, name) in settings.Configuration.GetSection("Serilog:Using").AsEnumerable())
            if (name is not null && FindAssemblyFault(name) is { } missing)
                Report(key, $"{key} is \"{name}\": expected an assembly beside the program: {missing}");
        foreach (WrittenFile file in WrittenFiles(settings))
        {
            var (key, path) = file;
            if (IsLogFile(key))
            {
                if (FindLogFault(path) is { } fault) Report(key, $"{key} is \"{path}\": {fault}");
            }
            else if (Path.GetDirectoryName(path) is { Length: > 0 } directory && !Directory.Exists(directory))
                Report(key,
                    $"{key}: there is no directory {directory}: make it, with the user of the server as its owner");
            else if (!file.IsSocket && ExclusiveFile.FindFault(path) is { } fault)
                Report(key, $"{key} is \"{path}\": {fault}");
        }
        return problems;
    }

    /// <summary>
    /// A state directory of the settings whose parent is missing: with that of a file system that is not mounted, zones
    /// would get new keys.
    /// </summary>
    public static IEnumerable<SettingDiagnostic> FindMissingState(Settings settings)
    {
        if (settings is not { Root: { } root, Options.StateDirectory: { } directory }
            || directory == StateDirectory.Automatic || Directory.Exists(directory)
            || Path.GetDirectoryName(directory) is not { Length: > 0 } parent
            || Directory.Exists(parent) || File.Exists(parent)) yield break;
        yield return new SettingDiagnostic(LocationOf(root, "Dns:StateDirectory"),
            $"Dns:StateDirectory: there is no directory {parent}: expected it to exist, with its file system mounted");
    }

    /// <summary>
    /// A state directory that is a symlink without a target, as of a backup that has the link alone: with an empty
    /// directory in its place, zones would get new keys. Also keys and signed copies that cannot be read:
    /// <see cref="StateTrial.FindUnknownSigning"/>.
    /// </summary>
    /// <param name="directory">The state directory, which may be missing; null = none.</param>
    public static IEnumerable<SettingDiagnostic> FindUnusableState(Settings settings, string? directory)
    {
        if (settings.Root is not { } root || directory is null) yield break;
        SettingLocation location = LocationOf(root, "Dns:StateDirectory");
        if (DanglingLink.FindFault(directory) is { } fault)
            yield return new SettingDiagnostic(
                location, $"{fault}: expected the state directory, with the keys and zones of the server");
        if (StateTrial.FindUnknownSigning(settings.Options, directory) is { } unknown)
            yield return new SettingDiagnostic(location, unknown);
    }

    /// <summary>The files of the settings that the server writes, in the order of the documentation.</summary>
    public static IEnumerable<WrittenFile> WrittenFiles(Settings settings)
    {
        ServerOptions options = settings.Options;
        foreach (WrittenFile file in ServerFeatures.All.FindFiles(options)) yield return file;
        // On Windows it is not a file.
        if (!OperatingSystem.IsWindows() && options.Control.Socket is { } socket && socket != ControlOptions.Automatic)
            yield return new WrittenFile("Dns:Control:Socket", socket) { IsSocket = true };
        foreach (var (key, path) in settings.Configuration.AsEnumerable())
            if (path is not null && IsLogFile(key)) yield return new WrittenFile(key, path);
    }

    /// <summary>Warnings at a start.</summary>
    /// <param name="zones">The zones of the settings and of commands.</param>
    public static IEnumerable<string> FindWarnings(ServerOptions options, ZoneExpansion zones)
    {
        // An empty directory has its own line.
        bool hasOthers = options.Zones.Any(zone => zone.Path is null);
        if (zones.Files.Count == 0 && zones.Empty.Count == 0 && options.Forward.Count == 0 && !hasOthers)
            yield return "no zone is configured: every query is REFUSED";
        if (options.Forward.Count > 0 && options.Recursion.AllowFrom.Count == 0)
            yield return "Dns:Recursion:AllowFrom is empty: forwarded names are REFUSED for all clients";
    }

    /// <summary>Why Serilog cannot load an assembly; null if it can.</summary>
    private static string? FindAssemblyFault(string name)
    {
        try
        {
            System.Reflection.Assembly.Load(name);
            return null;
        }
        catch (Exception error) when (error is IOException or BadImageFormatException or ArgumentException)
        {
            return error.Message.Split('.')[0];
        }
    }

    /// <summary>Whether a setting is the file of a sink of section <c>Serilog</c>.</summary>
    public static bool IsLogFile(string key) =>
        key.StartsWith("Serilog:", StringComparison.OrdinalIgnoreCase) &&
            key.EndsWith(PathArgument, StringComparison.OrdinalIgnoreCase);

    /// <summary>The sink follows symlinks, and rolling adds a time to the name.</summary>
    private static string? FindLogFault(string path)
    {
        if (ExclusiveFile.FindFault(path) is { } fault) return fault;
        if (!ExclusiveFile.IsShared(path)) return null;
        string pattern = Path.GetFileNameWithoutExtension(path) + "*" + Path.GetExtension(path);
        return Directory.EnumerateFileSystemEntries(Path.GetDirectoryName(path)!, pattern)
            .Select(
                rolled => ExclusiveFile.FindFault(rolled) is { } other ? $"{Path.GetFileName(rolled)}: {other}" : null)
            .FirstOrDefault(found => found is not null);
    }

    /// <summary>The position of a setting, or of the nearest section above it.</summary>
    internal static SettingLocation LocationOf(SettingNode root, string key)
    {
        SettingNode node = root;
        foreach (string part in key.Split(':'))
        {
            if (node.Find(part) is not { } next) break;
            node = next;
        }
        return node.Location;
    }
}
