using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Dns.Configuration.Tests;

/// <summary>
/// What is generated from the declared settings: the JSON Schema, and pages in Markdown with a heading, the allowed
/// values and an example for each setting.
/// </summary>
internal sealed partial class SettingsPages
{
    /// <summary>The line of a page behind which everything is generated.</summary>
    public const string Mark =
        "<!-- Generated from the declarations of the settings by SettingsPageTests, up to the end. -->";

    private static readonly JsonSerializerOptions Plain =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly StringBuilder _text = new();

    private SettingsPages()
    {
    }

    private static JsonArray Primaries => new("192.0.2.1");

    /// <summary>The file <c>dnsd.schema.json</c>: a line for each setting.</summary>
    public static string OfSchema() => Lines(DeclaredSettings.OfProgram.Schema(), "") + "\n";

    /// <summary>Every setting of the server.</summary>
    public static string OfServer()
    {
        SettingsPages page = new();
        page.AddHeading(2, "General");
        foreach (ValueSetting setting in DeclaredSettings.OfProgram.Members.OfType<ValueSetting>())
            page.AddSettingOf("Dns", setting);
        foreach (SettingsSection section in DeclaredSettings.OfProgram.Members.OfType<SettingsSection>())
        {
            page.AddHeading(2, $"`Dns:{section.Name}`");
            page.AddText(section.Words);
            foreach (ValueSetting setting in section.Members) page.AddSettingOf($"Dns:{section.Name}", setting);
        }
        return page._text.ToString();
    }

    /// <summary>Every setting of a zone.</summary>
    public static string OfZones()
    {
        SettingsPages page = new();
        page.AddHeading(2, "Each setting");
        foreach (ZoneRule rule in ZoneSettingsTable.Rules)
        {
            ZoneRuleScopes[] all = [ZoneRuleScopes.Zone, ZoneRuleScopes.Directory, ZoneRuleScopes.Template];
            string scopes = string.Join(", ", all.Where(scope => rule.Scopes.HasFlag(scope))).ToLowerInvariant();
            string role = rule.Role is null
                ? "" : rule.Role == ZoneRole.Primary ? "; only for primaries" : "; only for secondaries";
            page.AddSetting(rule.Setting.Name, rule.Setting, $"Allowed in: {scopes}{role}");
            page.AddExample(Nested("Dns", "Zones", new JsonArray(ZoneWith(rule))));
        }
        return page._text.ToString();
    }

    /// <summary>Every setting of a DNSSEC policy.</summary>
    public static string OfPolicies()
    {
        SettingsPages page = new();
        page.AddHeading(2, "Each setting");
        foreach (ValueSetting setting in DnssecPoliciesSetting.Policy.Members)
        {
            page.AddSetting(setting.Name, setting, null);
            JsonObject policy = new() { [setting.Name] = setting.Example!.DeepClone() };
            if (setting.Name == "OptOut") policy.Insert(0, "Denial", "nsec3");
            if (setting.Name == "OfflineKsk") policy.Insert(0, "Keys", "ksk+zsk");
            page.AddExample(Nested("Dns", "DnssecPolicies", new JsonObject { ["fast"] = policy }));
        }
        return page._text.ToString();
    }

    /// <summary>All defaults, as a settings file.</summary>
    public static string OfDefaults()
    {
        JsonObject dns = [];
        foreach (Setting member in DeclaredSettings.OfProgram.Members)
            if (member is ValueSetting { HasDefault: true } value) dns[value.Name] = value.Default;
            else if (member is SettingsSection section)
                dns[section.Name] = new JsonObject(section.Members.OfType<ValueSetting>()
                    .Where(one => one.HasDefault).Select(one => KeyValuePair.Create(one.Name, one.Default)));
        return "\n```json\n" + Lines(new JsonObject { ["Dns"] = dns }, "") + "\n```\n";
    }

    /// <summary>A zone that may have a setting, with it.</summary>
    private static JsonObject ZoneWith(ZoneRule rule)
    {
        JsonObject zone = rule switch
        {
            { Scopes: ZoneRuleScopes.Directory } => new() { ["Directory"] = "zones" },
            { Setting.Name: "Catalog" } => new() { ["Name"] = "catalog.example" },
            { Setting.Name: "MemberTemplate" } =>
                new() { ["Name"] = "catalog.example", ["Type"] = "secondary", ["Primaries"] = Primaries,
                    ["Catalog"] = "consumer" },
            { Role: ZoneRole.Secondary } or { Setting.Name: "Type" } =>
                new() { ["Name"] = "example.com", ["Type"] = "secondary", ["Primaries"] = Primaries },
            { Setting.Name: "Group" } =>
                new() { ["Name"] = "example.com", ["File"] = "example.com.zone", ["MemberOf"] = "catalog.example" },
            _ => new() { ["Name"] = "example.com", ["File"] = "example.com.zone" },
        };
        zone[rule.Setting.Name] = rule.Setting.Example!.DeepClone();
        return zone;
    }

    private void AddSettingOf(string section, ValueSetting setting)
    {
        string key = $"{section}:{setting.Name}";
        AddSetting(key, setting,
            "Takes effect: " + (DeclaredSettings.OfProgram.IsLive(key) ? "at a reload" : "at the next start"));
        AddMembers(setting.Value);
        AddExample(Nested(key.Split(':'), setting.Example!));
    }

    private void AddSetting(string name, ValueSetting setting, string? note)
    {
        AddHeading(3, $"`{name}`");
        AddText(setting.Words);
        _text.Append("- Value: ").Append(Kind().Replace(setting.Value.Words, "[$0](settings-file.md#times-and-sizes)"))
            .Append('\n');
        if (setting.HasDefault) _text.Append("- Default: `").Append(Inline(setting.Default)).Append("`\n");
        if (note is not null) _text.Append("- ").Append(note).Append('\n');
        _text.Append('\n');
    }

    /// <summary>Adds the members of the objects in a list.</summary>
    private void AddMembers(SettingValue value)
    {
        if (value.Objects is not [var first, ..]) return;
        if (first.Page is { } page)
        {
            string words = page == "dnssec-policies.md" ? "DNSSEC policies" : "settings of a zone";
            _text.Append($"Members: [{words}]({page}).\n\n");
            return;
        }
        _text.Append("Members of an object:\n\n");
        foreach (ValueSetting member in first.Members)
        {
            string required = first.Required.Contains(member.Name) ? " (required)" : "";
            string choices = member.Value.Words.StartsWith("one of", StringComparison.Ordinal)
                ? $" Value: {member.Value.Words}." : "";
            string given = member.HasDefault ? $" Default: `{Inline(member.Default)}`." : "";
            _text.Append($"- `{member.Name}`{required}: {Linked(member.Words)}{choices}{given}\n");
        }
        _text.Append('\n');
    }

    private void AddHeading(int level, string heading)
    {
        if (_text.Length < 2 || _text[^2] != '\n') _text.Append('\n');
        _text.Append('#', level).Append(' ').Append(heading).Append("\n\n");
    }

    private void AddText(string text) => _text.Append(Linked(text)).Append("\n\n");

    private void AddExample(JsonNode example) => _text.Append("```json\n").Append(Inline(example)).Append("\n```\n");

    /// <summary>Text as Markdown, in which each setting that is named is a link.</summary>
    private static string Linked(string text) => SettingName().Replace(
        text.Replace("*", "\\*", StringComparison.Ordinal),
        match =>
            $"[{match.Value}](settings.md#{match.Value.Replace(":", "", StringComparison.Ordinal).ToLowerInvariant()})");

    private static JsonObject Nested(string section, string name, JsonNode value) => Nested([section, name], value);

    private static JsonObject Nested(ReadOnlySpan<string> path, JsonNode value) =>
        new() { [path[0]] = path.Length == 1 ? value.DeepClone() : Nested(path[1..], value) };

    /// <summary>JSON in which what is long takes a line for each member, but a setting is always one line.</summary>
    private static string Lines(JsonNode? node, string indent)
    {
        string line = Inline(node), inner = indent + "  ";
        bool hasSettings = line.Contains("\"properties\"");
        IEnumerable<string> parts = node switch
        {
            _ when line.Length <= 110 => [],
            JsonObject members when hasSettings || !members.ContainsKey("description") =>
                members.Select(one => $"\"{one.Key}\": {Lines(one.Value, inner)}"),
            JsonArray list when hasSettings => list.Select(one => Lines(one, inner)),
            _ => [],
        };
        string text = string.Join(",\n", parts.Select(part => inner + part));
        return text.Length == 0 ? line : $"{line[0]}\n{text}\n{indent}{line[^1]}";
    }

    private static string Inline(JsonNode? node) => node switch
    {
        null => "null",
        JsonObject { Count: > 0 } value =>
            $"{{ {string.Join(", ", value.Select(one => $"\"{one.Key}\": {Inline(one.Value)}"))} }}",
        JsonArray { Count: > 0 } list => $"[ {string.Join(", ", list.Select(Inline))} ]",
        _ => node.ToJsonString(Plain),
    };

    [GeneratedRegex(@"\bDns:[A-Z]\w+(?::[A-Z]\w+)*")]
    private static partial Regex SettingName();

    [GeneratedRegex("^(?:time|size)")]
    private static partial Regex Kind();
}
