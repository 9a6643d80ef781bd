namespace Dns.Server.Commands;

/// <summary>
/// Whether the user of the installed systemd service can read files that root can: <c>dnsd check</c> is mostly run as
/// root, and the start is not.
/// </summary>
/// <param name="run">Runs a program: maps its name and arguments to exit code and output.</param>
internal sealed class ServiceReadTrial(Func<string, string[], (int ExitCode, string Output)> run)
{
    /// <summary>Files for each run of the shell, so that its command line is not too long.</summary>
    private const int PortionOfFiles = 400;

    /// <summary>A dynamic user has the rights of others.</summary>
    private const string OtherUser = "65534";

    /// <summary>Prints each file or directory after user and group that these cannot read.</summary>
    private const string Script = """
        user=$1 group=${2:-$(id -g "$1")}; shift 2
        exec setpriv --reuid="$user" --regid="$group" --init-groups -- \
          sh -c 'for file; do [ -r "$file" ] && { [ ! -d "$file" ] || [ -x "$file" ]; } || printf "%s\n" "$file"; done' sh "$@"
        """;

    /// <summary>That of this machine; null unless it is Linux and this user is root.</summary>
    public static ServiceReadTrial? OfThisMachine { get; } =
        OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess ? new(ExternalProgram.Run) : null;

    /// <summary>
    /// Finds the settings file and the files of <c>SecretFile</c>, without which there is no start, and directories of
    /// zones, without which none of their zones is served.
    /// </summary>
    public IEnumerable<SettingDiagnostic> Find(Settings settings)
    {
        if (settings is not { File: { } name, Root: { } root, Problems: [] }) return [];
        string file = Path.GetFullPath(name), directory = Path.GetDirectoryName(file)!;
        Dictionary<string, SettingLocation> locations = new() { [file] = new SettingLocation(name, 1, 1) };
        foreach (SettingNode key in root.Find("Dns")?.Find("TsigKeys")?.Children ?? [])
            if (key.Find("SecretFile") is { Value: { } secret } node)
                locations.TryAdd(Path.GetFullPath(secret, directory), node.Location);
        foreach (ZoneOptions zone in settings.Options.Zones)
            if (zone is { Name: null, Path: { } folder }) locations.TryAdd(Path.GetFullPath(folder), zone.Location);
        return FindUnreadable(file, locations.Keys, out string user)
            .Select(path => ErrorOf(locations[path], path, user));
    }

    private static SettingDiagnostic ErrorOf(SettingLocation location, string path, string user)
    {
        string mode = Directory.Exists(path) ? "750" : "640";
        return new SettingDiagnostic(location, $"{path} cannot be read by user {user} of the service: expected mode "
            + $"{mode} and the group of that user (chgrp {user} {path}; chmod {mode} {path})");
    }

    /// <summary>Finds zone files, without what they include.</summary>
    /// <returns>A line for each.</returns>
    public IEnumerable<string> FindZones(Settings settings, IEnumerable<ZoneFile> zones) =>
        settings.File is not { } file ? []
            : FindUnreadable(Path.GetFullPath(file), zones.Select(zone => Path.GetFullPath(zone.Path)), out string user)
                .Select(path => $"{path}: warning: user {user} of the service cannot read it");

    /// <summary>Finds those that exist and that the service cannot read; none if it has other settings.</summary>
    private IReadOnlyList<string> FindUnreadable(string settings, IEnumerable<string> paths, out string user)
    {
        user = "";
        var (exitCode, shown) = run("systemctl", ["show", ServiceDefinition.Name + ".service",
            "--property=User,Group,SupplementaryGroups,DynamicUser,ExecStart"]);
        if (exitCode != 0) return [];
        Dictionary<string, string> unit = shown.Split('\n').Select(line => line.Split('=', 2))
            .Where(pair => pair.Length == 2).ToDictionary(pair => pair[0], pair => pair[1]);
        string Of(string key) => unit.GetValueOrDefault(key, "");
        user = Of("User");
        // More groups than those of the user are not tried.
        if (user.Length == 0 || Of("SupplementaryGroups").Length > 0
            || !Of("ExecStart").Contains($" --config {settings} ", StringComparison.Ordinal)) return [];
        string[] who = Of("DynamicUser") == "yes" ? [OtherUser, OtherUser] : [user, Of("Group")];
        List<string> unreadable = [];
        foreach (string[] portion in paths.Where(Path.Exists).Chunk(PortionOfFiles))
        {
            (exitCode, shown) = run("sh", ["-c", Script, "sh", .. who, .. portion]);
            // Without setpriv, or before the user is made, it is not known.
            if (exitCode == 0) unreadable.AddRange(shown.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        }
        return [.. unreadable.Intersect(paths)];
    }
}
