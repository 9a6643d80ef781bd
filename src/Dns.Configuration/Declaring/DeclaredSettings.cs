using System.Text.Json.Nodes;

namespace Dns.Configuration.Declaring;

/// <summary>
/// All settings of section <c>Dns</c>: those of this project, and the sections of features. Immutable.
/// </summary>
public sealed class DeclaredSettings
{
    /// <summary>The name of the section that has them all.</summary>
    public const string Root = "Dns";

    private static readonly SettingsSection<ServerOptions> General = GeneralSettings.General;
    private readonly Setting[] _members;

    /// <summary>Declares all settings of a program.</summary>
    /// <param name="features">Those that are not declared in this project.</param>
    public DeclaredSettings(params IEnumerable<Setting> features) =>
        _members = [.. General.Members, .. GeneralSettings.Sections, .. features];

    /// <summary>Finds the settings of the features of this program, which sets it before settings are used.</summary>
    public static Func<IEnumerable<Setting>> FindFeatures { private get; set; } = () => [];

    /// <summary>The settings of this program, for whatever does not name others.</summary>
    public static DeclaredSettings OfProgram => field ??= new(FindFeatures());

    /// <summary>The settings beside the sections, then the sections.</summary>
    public IReadOnlyList<Setting> Members => _members;

    /// <summary>Whether a setting, or all that is below it, can change while the server runs.</summary>
    /// <param name="key">Its path as configuration writes it, such as <c>Dns:Zones:0:File</c>.</param>
    public bool IsLive(string key) => Trace(key.Split(':')).Any(setting => setting.IsLive);

    /// <summary>Whether a path leads to a secret, below one, or to the section that has one.</summary>
    /// <param name="path">The path as configuration writes it, such as <c>Dns:Cookies:Secrets:0</c>.</param>
    public bool IsSecret(string path)
    {
        string[] parts = path.Split(':');
        Setting[] trace = [.. Trace(parts)];
        return trace is [.., { IsSecret: true }] || HasSecret(trace, parts) && trace.Length == parts.Length - 1;
    }

    /// <summary>A path without what is below a secret, an index aside, or below a key meant as one.</summary>
    public string Shown(string path)
    {
        string[] parts = path.Split(':');
        Setting[] trace = [.. Trace(parts)];
        int depth = trace.Length + 1;
        if (HasSecret(trace, parts)) depth++;
        else if (trace is not [.., { IsSecret: true }]) return path;
        return parts.Length <= depth ? path
            : string.Join(':', parts[..depth]) + ":" + (SecretSettings.IsIndex(parts[depth]) ? parts[depth] : "...");
    }

    /// <summary>The JSON Schema of the settings file.</summary>
    public JsonObject Schema()
    {
        JsonObject dns = General.Schema();
        dns["properties"] = new JsonObject(
            _members.Select(member => KeyValuePair.Create(member.Name, (JsonNode?)member.Schema())));
        return new JsonObject
        {
            ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
            ["title"] = "Settings of dnsd",
            ["type"] = "object",
            ["additionalProperties"] = false,
            ["properties"] = new JsonObject
            {
                ["$schema"] = new JsonObject { ["type"] = "string" },
                [Root] = dns,
                ["Serilog"] = SerilogSetting.Schema(),
            },
        };
    }

    internal Setting? Find(string name) => Array.Find(_members, member => member.IsNamed(name));

    /// <summary>
    /// A setting of just this name in a section below that of a path, or beside the sections of <c>Dns</c>: in any
    /// other section it would be another setting.
    /// </summary>
    internal string? FindElsewhere(string path, string name)
    {
        string[] parts = path.Split(':');
        bool isInRoot = IsRoot(parts[0]);
        if (Find(name) is { } above && (parts.Length == 1 || isInRoot)) return $"{Root}:{above.Name}";
        if (parts.Length > (isInRoot ? 2 : 1)) return null;
        return (from section in _members.OfType<SettingsSection>()
            from member in section.Members
            where member.IsNamed(name)
            select $"{Root}:{section.Name}:{member.Name}").FirstOrDefault();
    }

    /// <summary>Reads section <c>Dns</c> into the options of the binder.</summary>
    internal void Read(SettingNode dns, SettingsBinder binder)
    {
        if (dns.Kind != SettingKind.Section) binder.Expect(dns, Root, "an object { ... }");
        else foreach (SettingNode member in dns.Children) ReadMember(member, binder);
    }

    /// <summary>Reads one member of section <c>Dns</c>.</summary>
    internal void ReadMember(SettingNode node, SettingsBinder binder)
    {
        string path = $"{Root}:{node.Name}";
        switch (Find(node.Name))
        {
            case SettingsSection section:
                binder.Options = binder.Options.With(section, section.ReadOptions(node, path, binder));
                break;
            case Setting<ServerOptions> setting:
                ServerOptions options = binder.Options;
                if (setting.TryRead(node, path, binder, ref options)) binder.Options = options;
                break;
            default:
                binder.Unknown(node, path, _members.Select(member => member.Name));
                break;
        }
    }

    /// <summary>Runs the checks of the settings that were written.</summary>
    internal void Check(SettingNode dns, SettingsBinder binder)
    {
        foreach (SettingNode node in dns.Children)
            Find(node.Name)?.FindProblems(new SettingsProblems(node, binder));
    }

    private static bool IsRoot(string name) => name.Equals(Root, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether a path ends at, or leaves the declared settings in, a section that has a secret.</summary>
    private bool HasSecret(Setting[] trace, string[] parts) =>
        (trace.Length == 0 ? IsRoot(parts[0]) ? _members : [] : (trace[^1] as SettingsSection)?.Members ?? [])
            .Any(member => member.IsSecret);

    /// <summary>The setting or section below <c>Dns</c> that a path leads to, and what is declared below it.</summary>
    private IEnumerable<Setting> Trace(string[] parts)
    {
        if (!IsRoot(parts[0])) yield break;
        IReadOnlyList<Setting> members = _members;
        for (int i = 1; i < parts.Length && members.FirstOrDefault(one => one.IsNamed(parts[i])) is { } setting; i++)
        {
            yield return setting;
            members = (setting as SettingsSection)?.Members ?? [];
        }
    }
}
