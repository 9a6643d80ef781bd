namespace Dns.Server;

/// <summary>Collects the options and every problem while the rules of <see cref="SettingsTable"/> are applied.</summary>
/// <param name="directory">What relative paths are relative to: the directory of the settings file.</param>
/// <param name="problems">Receives what is wrong.</param>
internal sealed class SettingsBinder(string directory, List<SettingProblem> problems)
{
    /// <summary>The most characters of a value that a message repeats.</summary>
    private const int MostShown = 200;

    /// <summary>The options so far.</summary>
    public ServerOptions Options { get; } = new();

    /// <summary>An absolute path for one that was written in the settings.</summary>
    public string Resolve(string path) => Path.GetFullPath(path, directory);

    /// <summary>Says that a value is not what it has to be.</summary>
    public void Expect(SettingNode node, string path, string expected)
    {
        string found = SecretSettings.Concerns(path) ? DescribeKind(node) : Describe(node);
        Report(node, $"{SecretSettings.Shown(path)} is {found}: expected {expected}");
    }

    /// <summary>Says what is wrong.</summary>
    public void Report(SettingNode node, string message) => problems.Add(new SettingProblem(node.Place, message));

    /// <summary>Says that there is no such setting, and which one may have been meant.</summary>
    public void Unknown(SettingNode node, string path, IEnumerable<string> known)
    {
        string[] names = [.. known];
        string guess = NearestName.Find(node.Name, names) is { } near ? $"did you mean \"{near}\"?"
            : ForeignWords.Find(node.Name) is { } foreign ? foreign
            : FindElsewhere(node.Name) is { } elsewhere ? $"did you mean \"{elsewhere}\"?"
            : "expected one of " + string.Join(", ", names);
        Report(node, $"unknown setting {SecretSettings.Shown(path)}: {guess}");
    }

    /// <summary>A setting of just this name in another section.</summary>
    private static string? FindElsewhere(string name) => FindBelow(SettingsTable.Dns, "Dns", name);

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
