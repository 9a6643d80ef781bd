namespace Dns.Configuration.Reading;

/// <summary>Collects options and problems while the rules of <see cref="SettingsTable"/> are applied.</summary>
/// <param name="directory">What relative paths are relative to: the directory of the settings file.</param>
internal sealed class SettingsBinder(string directory, List<SettingDiagnostic> problems)
{
    /// <summary>The most characters of a value that a message repeats.</summary>
    private const int MostShown = 200;

    private readonly Dictionary<IPEndPoint, IPEndPoint?> _ownListeners = [];

    public ServerOptions Options { get; } = new();

    /// <summary>The entries of <c>Dns:Zones</c> as they were written.</summary>
    public List<ZoneSettings> Zones { get; } = [];

    /// <summary>The entries of <c>Dns:Templates</c> as they were written.</summary>
    public Dictionary<string, ZoneSettings> Templates { get; } = new(StringComparer.OrdinalIgnoreCase);

    public SettingReferences References { get; } = new();

    public int ProblemCount => problems.Count;

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
        string found = SecretSettings.IsSecret(path) ? DescribeKind(node) : Describe(node);
        Report(node, $"{SecretSettings.Shown(path)} is {found}: expected {expected}");
    }

    public void Report(SettingNode node, string message) => problems.Add(new SettingDiagnostic(node.Location, message));

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
            : FindElsewhere(path, node.Name) is { } elsewhere ? $"did you mean \"{elsewhere}\"?"
            : "expected one of " + string.Join(", ", names);
        Report(node, $"unknown setting {SecretSettings.Shown(path)}: {guess}");
    }

    /// <summary>
    /// A setting of just this name in a section below that of a path, or beside the sections of <c>Dns</c>: in any
    /// other section it would be another setting.
    /// </summary>
    private static string? FindElsewhere(string path, string name)
    {
        string[] parts = path.Split(':');
        string dns = SettingsTable.Dns.Name;
        bool isInDns = parts[0].Equals(dns, StringComparison.OrdinalIgnoreCase);
        if (parts.Length == 1 || isInDns && parts.Length == 2) return FindBelow(SettingsTable.Dns, dns, name);
        return isInDns && SettingsTable.Dns.Members.FirstOrDefault(rule =>
            rule.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } above ? $"{dns}:{above.Name}" : null;
    }

    private static string? FindBelow(SectionRule section, string path, string name)
    {
        foreach (SettingRule rule in section.Members)
        {
            string found = path + ":" + rule.Name;
            if (rule.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) return found;
            if (rule is SectionRule inner && FindBelow(inner, found, name) is { } deeper) return deeper;
        }
        return null;
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
