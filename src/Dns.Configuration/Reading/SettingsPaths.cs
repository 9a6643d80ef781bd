namespace Dns.Configuration.Reading;

/// <summary>Where the settings file is searched if the command line names none; the first is used.</summary>
/// <param name="Here">The one of the working directory.</param>
/// <param name="Installed">The one of the service.</param>
/// <param name="Examples">The one of the folder <c>examples</c> beside the program.</param>
public sealed record SettingsPaths(string Here, string Installed, string Examples)
{
    /// <summary>The paths of this machine.</summary>
    public static SettingsPaths OfThisMachine { get; } = new(
        SettingsReader.DefaultFile, ServiceSettings.File,
        Path.Combine(AppContext.BaseDirectory, "examples", SettingsReader.DefaultFile));

    /// <summary>
    /// Finds the settings file. With zones on the command line the installed settings are left alone: what is tried
    /// beside a service shares neither its zones nor its files.
    /// </summary>
    public SettingsSource Find(SettingsArguments arguments)
    {
        if (arguments.ConfigFile is not null) return new SettingsSource(arguments.ConfigFile, "--config");
        if (Exists(Here)) return new SettingsSource(Here, "of the working directory");
        bool hasZones = arguments.Zones.Count > 0;
        if (!hasZones && Exists(Installed))
            return new SettingsSource(Installed, "installed; the working directory has none");
        if (!Exists(Examples)) return new SettingsSource(null, "none; the command line alone");
        return new SettingsSource(Examples, hasZones
            ? "the examples; zones from the command line"
            : $"the examples; there is neither ./{Path.GetFileName(Here)} nor {Installed}");
    }

    /// <summary>What no settings were found in.</summary>
    public override string ToString() => $"neither here nor as {Installed} nor as {Examples}";

    /// <summary>Whether a file exists, even an unreadable one: that is an error, no reason to use another.</summary>
    private static bool Exists(string file)
    {
        try
        {
            File.GetAttributes(file);
            return true;
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return false;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }
}

/// <summary>A settings file and why it is the one.</summary>
/// <param name="File">The file; null = there is none.</param>
/// <param name="Why">Where it was found, to stand in parentheses behind it.</param>
public readonly record struct SettingsSource(string? File, string Why)
{
    /// <summary>The file with its whole path, and where it was found.</summary>
    public override string ToString() => File is null ? Why : $"{Path.GetFullPath(File)} ({Why})";
}
