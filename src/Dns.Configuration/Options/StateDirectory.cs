using System.Collections;

namespace Dns.Configuration.Options;

/// <summary>The directory of state that changes at runtime: <c>Dns:StateDirectory</c>.</summary>
public static class StateDirectory
{
    /// <summary>The word for a directory that the server chooses.</summary>
    public const string Automatic = "auto";

    /// <summary>The variable in which a service manager names the directory that it created.</summary>
    private const string Variable = "STATE_DIRECTORY";

    /// <summary>That of the service, for commands that are given outside of it.</summary>
    private const string OfService = "/var/lib/dnsd";

    /// <summary>
    /// The directory of a start: that of the settings, of the service manager, of the service for its settings, a
    /// folder beside other settings. The examples and zones of the command line have none. Null if nothing is kept.
    /// </summary>
    public static string? Of(SettingsArguments arguments, Settings settings, IDictionary environment)
    {
        if (settings.Options.StateDirectory != Automatic) return settings.Options.StateDirectory;
        if (settings.File is null || settings.File == arguments.Paths.Examples || arguments.Zones.Count > 0)
            return null;
        // systemd separates several by colons.
        if (environment[Variable] is string { Length: > 0 } given)
            return OperatingSystem.IsWindows() ? given : given.Split(':')[0];
        string file = Path.GetFullPath(settings.File);
        return file == arguments.Paths.Installed && !OperatingSystem.IsWindows()
            ? OfService : Path.ChangeExtension(file, ".state");
    }

    /// <summary>The path of a directory, relative to the settings file, or the word <c>auto</c>, or null.</summary>
    internal static SettingValue<string?> Value { get; } = new SettingValue<string?>("string null",
        "the path of a directory, auto, or null", "path, `auto` or `null`",
        (node, path, binder, out directory) =>
        {
            directory = node.Value;
            if (Automatic.Equals(directory, StringComparison.OrdinalIgnoreCase)) directory = Automatic;
            else if (node is { Kind: SettingKind.Untyped, Value: "null" }) directory = null;
            else if (directory is not { Length: > 0 } || directory.Contains('\0')) return false;
            else
            {
                directory = binder.Resolve(directory);
                // A symlink without a target is reported with the machine.
                if (File.Exists(directory) && DanglingLink.FindFault(directory) is null)
                    binder.Report(node, $"{path} is \"{node.Value}\", a file: expected the path of a directory");
            }
            return true;
        }, directory => directory).Limit("minLength", 1);
}
