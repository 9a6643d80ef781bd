namespace Dns.Configuration.Reading;

/// <summary>Collects options and problems while settings are read.</summary>
/// <param name="directory">What relative paths are relative to: the directory of the settings file.</param>
/// <param name="problems">Receives what is wrong.</param>
/// <param name="declared">The settings that there are.</param>
public sealed class SettingsBinder(string directory, List<SettingDiagnostic> problems, DeclaredSettings declared)
{
    /// <summary>The most characters of a value that a message repeats.</summary>
    private const int MostShown = 200;

    private readonly Dictionary<IPEndPoint, IPEndPoint?> _ownListeners = [];

    private readonly List<SettingWarning> _warnings = [];

    /// <summary>The options, as far as they are read.</summary>
    public ServerOptions Options { get; internal set; } = new();

    /// <summary>The problems so far.</summary>
    public int ProblemCount => problems.Count;

    /// <summary>The entries of <c>Dns:Zones</c> as they were written.</summary>
    internal List<ZoneSettings> Zones { get; } = [];

    /// <summary>The entries of <c>Dns:Templates</c> as they were written.</summary>
    internal Dictionary<string, ZoneSettings> Templates { get; } = new(StringComparer.OrdinalIgnoreCase);

    internal SettingReferences References { get; } = new();

    internal IReadOnlyList<SettingWarning> Warnings => _warnings;

    /// <summary>As <see cref="MachineAddresses.FindOwnListener"/>, once for each server.</summary>
    public IPEndPoint? FindOwnListener(IPEndPoint server)
    {
        if (!_ownListeners.TryGetValue(server, out IPEndPoint? own))
            _ownListeners[server] = own = MachineAddresses.FindOwnListener(server, Options.Listen);
        return own;
    }

    /// <summary>An absolute path for one that was written in the settings.</summary>
    public string Resolve(string path) => Path.GetFullPath(path, directory);

    /// <summary>Says that a value is not what it has to be.</summary>
    public void Expect(SettingNode node, string path, string expected)
    {
        string found = declared.IsSecret(path) ? DescribeKind(node) : Describe(node);
        Report(node, $"{declared.Shown(path)} is {found}: expected {expected}");
    }

    /// <summary>Says what is wrong with a setting.</summary>
    public void Report(SettingNode node, string message) => Report(node.Location, message);

    /// <summary>Says what is wrong at a place.</summary>
    public void Report(SettingLocation at, string message) => problems.Add(new SettingDiagnostic(at, message));

    /// <summary>Adds a warning about a permitted setting that is probably a mistake.</summary>
    /// <param name="isNote">Whether it is only worth knowing; else a start logs it as a warning.</param>
    public void Warn(SettingNode node, bool isNote, string message) =>
        _warnings.Add(new SettingWarning(node.Location, isNote, message));

    /// <summary>Says that there is no such setting, and which one may have been meant.</summary>
    public void Unknown(SettingNode node, string path, IEnumerable<string> known)
    {
        string[] names = [.. known];
        string plain = ForeignSettingNames.Plain(node.Name);
        // "also-notify" is near to AllowNotify, and means Notify.
        string guess = names.FirstOrDefault(name => NearestName.Distance(plain, name) <= 1) is { } same
            ? $"did you mean \"{same}\"?"
            : ForeignSettingNames.Find(node.Name) is { } foreign ? foreign
            : NearestName.Find(node.Name, names) is { } near ? $"did you mean \"{near}\"?"
            : declared.FindElsewhere(path, node.Name) is { } elsewhere ? $"did you mean \"{elsewhere}\"?"
            : "expected one of " + string.Join(", ", names);
        Report(node, $"unknown setting {declared.Shown(path)}: {guess}");
    }

    private static string Describe(SettingNode node) => node.Kind switch
    {
        SettingKind.Section => "an object",
        SettingKind.List => "a list",
        SettingKind.Null => "null",
        SettingKind.Text or SettingKind.Untyped when SecretSettings.IsLikely(node.Value!) => DescribeKind(node),
        SettingKind.Text or SettingKind.Untyped => $"\"{Shorten(node.Value!)}\"",
        _ => Shorten(node.Value!),
    };

    /// <summary>What a value looks like, without the value.</summary>
    private static string DescribeKind(SettingNode node) => node.Kind switch
    {
        SettingKind.Text or SettingKind.Untyped => node.Value is "" ? "empty text" : "text",
        SettingKind.Number => "a number",
        _ => Describe(node),
    };

    private static string Shorten(string text) => text.Length <= MostShown ? text : text[..MostShown] + "...";
}
