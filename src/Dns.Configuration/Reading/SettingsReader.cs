using System.Collections;
using Microsoft.Extensions.Configuration;

namespace Dns.Configuration.Reading;

/// <summary>The settings of the command line.</summary>
public sealed record SettingsArguments
{
    /// <summary>The settings file; null = look for one.</summary>
    public string? ConfigFile { get; init; }

    /// <summary>The text of that file, which need not exist then; null = it is read.</summary>
    public string? ConfigText { get; init; }

    /// <summary>The settings that there are.</summary>
    public DeclaredSettings Declared { get; init; } = DeclaredSettings.OfProgram;

    /// <summary>Where the settings file is searched.</summary>
    public SettingsPaths Paths { get; init; } = SettingsPaths.OfThisMachine;

    /// <summary>Addresses that replace <c>Dns:Listen</c>.</summary>
    public IReadOnlyList<string> Listen { get; init; } = [];

    /// <summary>Zones as NAME=FILE that replace <c>Dns:Zones</c>; relative to the working directory.</summary>
    public IReadOnlyList<string> Zones { get; init; } = [];

    /// <summary>Whether to take over the sockets of a running server.</summary>
    public bool TakesOver { get; init; }

    /// <summary>Single settings as <c>Dns:Key=value</c>.</summary>
    public IReadOnlyList<string> Overrides { get; init; } = [];
}

/// <summary>The settings of one start: options when all is well, and every problem.</summary>
/// <param name="Options">The options; not to be used when there are problems.</param>
/// <param name="Configuration">The merged settings for the host and Serilog; of <c>Dns:Zones</c> a number.</param>
/// <param name="File">The settings file; null when there is none.</param>
/// <param name="Problems">What is wrong, in the order of the file.</param>
public sealed record Settings(
    ServerOptions Options, IConfigurationRoot Configuration, string? File, IReadOnlyList<SettingDiagnostic> Problems)
{
    /// <summary>The settings that there are.</summary>
    public DeclaredSettings Declared { get; init; } = DeclaredSettings.OfProgram;

    /// <summary>The settings file, and why it is the one.</summary>
    public SettingsSource Source { get; init; }

    /// <summary>The settings with their locations; null without any, or while there are problems.</summary>
    public SettingNode? Root { get; init; }

    /// <summary>Whether they say where the running server is, despite any problems.</summary>
    public bool LocatesServer { get; init; }

    /// <summary>The memory of the machine in bytes, or what a cgroup leaves to the process.</summary>
    public long MemoryBytes { get; init; }

    /// <summary>What is permitted and may not be meant; none while there are problems.</summary>
    public IReadOnlyList<SettingWarning> Warnings { get; init; } = [];
}

/// <summary>Merges file, environment and command line, the later over the earlier, and checks all at once.</summary>
public static class SettingsReader
{
    /// <summary>The file of the working directory.</summary>
    public const string DefaultFile = "dnsd.json";

    private static readonly SettingLocation CommandLine = new("command line");

    /// <summary>Reads all settings.</summary>
    /// <param name="environment">Environment variables; only names in <c>Dns__</c> and <c>Serilog__</c> count.</param>
    /// <param name="memoryBytes">The memory of the machine or cgroup; null = as much as the runtime finds.</param>
    public static Settings Read(SettingsArguments arguments, IDictionary environment, long? memoryBytes = null)
    {
        List<SettingDiagnostic> problems = [];
        DeclaredSettings declared = arguments.Declared;
        SettingsSource source = arguments.Paths.Find(arguments);
        string? file = source.File;
        SettingNode? root = null;
        if (file is not null)
            root = arguments.ConfigText is { } text
                ? SettingsFile.Parse(file, Encoding.UTF8.GetBytes(text), problems, declared)
                : SettingsFile.Read(file, problems, declared);
        else if (arguments.Zones.Count == 0)
            problems.Add(new SettingDiagnostic(new SettingLocation(DefaultFile),
                $"the settings file does not exist, {arguments.Paths}"));
        string directory = file is null ? Environment.CurrentDirectory : Path.GetDirectoryName(Path.GetFullPath(file))!;
        SettingsBinder binder = new(directory, problems, declared);
        if (root is not null || problems.Count == 0)
        {
            root ??= new SettingNode("", SettingKind.Section, null, CommandLine);
            OverlayEnvironment(root, environment, declared);
            OverlayArguments(root, arguments, problems);
            Bind(root, binder, declared);
            TemplatesSetting.Finish(binder);
            ZonesSetting.Finish(binder);
            binder.References.CheckKeys(binder);
            DnssecPoliciesSetting.CheckNames(binder);
            if (root.Find("Dns") is { } dns)
            {
                if (problems.Count == 0) new SettingWarnings(binder).Find(dns);
                declared.Check(dns, binder);
            }
        }
        problems.Sort(ByLocation);
        IConfigurationRoot configuration = SettingsConfiguration.Build(root, directory);
        return new Settings(binder.Options, configuration, file, problems)
        {
            Source = source,
            Declared = declared,
            Warnings = problems.Count > 0 ? [] : binder.Warnings,
            Root = problems.Count > 0 ? null : root,
            LocatesServer = root is not null &&
                (problems.Count == 0 || ServerLocation.IsKnown(root, directory, declared)),
            MemoryBytes = memoryBytes ?? ServerMemory.Bytes,
        };
    }

    private static void OverlayEnvironment(SettingNode root, IDictionary environment, DeclaredSettings declared)
    {
        List<string> names = [];
        foreach (string name in environment.Keys)
            if (name.StartsWith("Dns__", StringComparison.OrdinalIgnoreCase)
                || name.StartsWith("Serilog__", StringComparison.OrdinalIgnoreCase)) names.Add(name);
        names.Sort(CompareKeys);
        foreach (string name in names)
        {
            string[] path = name.Split("__");
            string shown = declared.Shown(string.Join(':', path)).Replace(":", "__");
            root.Overlay(path, (string?)environment[name] ?? "", new SettingLocation("environment variable " + shown));
        }
    }

    /// <summary>Numbers in numeric order, so that elements of a list are appended in theirs.</summary>
    private static int CompareKeys(string left, string right) =>
        ConfigurationKeyComparer.Instance.Compare(left.Replace("__", ":"), right.Replace("__", ":"));

    private static void OverlayArguments(SettingNode root, SettingsArguments arguments,
        List<SettingDiagnostic> problems)
    {
        foreach (string setting in arguments.Overrides)
        {
            int equals = setting.IndexOf('=');
            root.Overlay(setting[..equals].Split(':'), setting[(equals + 1)..], CommandLine);
        }
        if (arguments.Listen.Count > 0) ReplaceListen(root, arguments.Listen);
        if (arguments.Zones.Count > 0) ReplaceZones(root, arguments.Zones, problems);
    }

    private static void ReplaceListen(SettingNode root, IReadOnlyList<string> addresses)
    {
        root.Remove("Dns", "Listen");
        for (int i = 0; i < addresses.Count; i++)
            root.Overlay(["Dns", "Listen", i.ToString()], addresses[i], CommandLine);
    }

    private static void ReplaceZones(SettingNode root, IReadOnlyList<string> zones, List<SettingDiagnostic> problems)
    {
        root.Remove("Dns", "Zones");
        for (int i = 0; i < zones.Count; i++)
        {
            int equals = zones[i].IndexOf('=');
            if (equals <= 0 || equals == zones[i].Length - 1)
            {
                problems.Add(new SettingDiagnostic(CommandLine, $"--zone {zones[i]}: expected NAME=FILE"));
                continue;
            }
            root.Overlay(["Dns", "Zones", i.ToString(), "Name"], zones[i][..equals], CommandLine);
            // A path on the command line is relative to where the command is given.
            string file = Path.GetFullPath(zones[i][(equals + 1)..]);
            root.Overlay(["Dns", "Zones", i.ToString(), "File"], file, CommandLine);
        }
    }

    private static void Bind(SettingNode root, SettingsBinder binder, DeclaredSettings declared)
    {
        foreach (SettingNode section in root.Children)
        {
            if (Is(section, "Dns")) declared.Read(section, binder);
            else if (Is(section, "Serilog")) SerilogSetting.Apply(section, "Serilog", binder);
            else if (!Is(section, "$schema")) binder.Unknown(section, section.Name, ["Dns", "Serilog"]);
        }
    }

    private static bool Is(SettingNode node, string name) => node.Name.Equals(name, StringComparison.OrdinalIgnoreCase);

    private static int ByLocation(SettingDiagnostic left, SettingDiagnostic right)
    {
        int order = left.Location.Line.CompareTo(right.Location.Line);
        if (order == 0) order = left.Location.Column.CompareTo(right.Location.Column);
        return order != 0 ? order : string.CompareOrdinal(left.Message, right.Message);
    }
}
