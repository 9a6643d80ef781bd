using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Dns.Configuration.Tests;

/// <summary>
/// The pages of the settings in Markdown: a heading, the allowed values and an example for each, from schema and rules.
/// </summary>
internal sealed partial class SettingsPages
{
    /// <summary>The line of a page behind which everything is generated.</summary>
    public const string Mark = "<!-- Generated from dnsd.schema.json by SettingsPageTests, up to the end. -->";

    private const string Reference = "#/$defs/";
    private static readonly JsonSerializerOptions Plain =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static readonly Dictionary<string, string> Pages = new()
    {
        ["Zone"] = "zone-settings.md", ["Directory"] = "zone-settings.md", ["Template"] = "zone-settings.md",
        ["DnssecPolicy"] = "dnssec-policies.md",
    };

    private static JsonArray Primaries => new("192.0.2.1");

    private readonly StringBuilder _text = new();

    private SettingsPages()
    {
    }

    /// <summary>The schema that stands beside the program.</summary>
    public static JsonNode Schema { get; } =
        JsonNode.Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "dnsd.schema.json")))!;

    /// <summary>Resolves a reference of the schema, with its siblings.</summary>
    public static JsonNode Resolve(JsonNode node)
    {
        if (node["$ref"] is not { } reference) return node;
        JsonObject all = Resolve(Schema["$defs"]![((string)reference!)[Reference.Length..]]!).DeepClone().AsObject();
        foreach (var (name, value) in node.AsObject()) if (name != "$ref") all[name] = value?.DeepClone();
        return all;
    }

    /// <summary>Every setting of the server.</summary>
    public static string OfServer()
    {
        SettingsPages page = new();
        page.AddHeading(2, "General");
        page.AddSection(Schema["properties"]!["Dns"]!, SettingsTable.Dns, "Dns");
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
            string[] scopes = [.. all.Where(scope => rule.Scopes.HasFlag(scope)).Select(scope => scope.ToString())];
            JsonNode setting = Resolve(Schema["$defs"]![scopes[0]]!["properties"]![rule.Name]!);
            string role = rule.Role is null
                ? "" : rule.Role == ZoneRole.Primary ? "; only for primaries" : "; only for secondaries";
            page.AddSetting(3, rule.Name, setting, KindOf(setting),
                "Allowed in: " + string.Join(", ", scopes).ToLowerInvariant() + role);
            page.AddExample(Nested("Dns", "Zones", new JsonArray(ZoneWith(rule, setting["examples"]![0]!))));
        }
        return page._text.ToString();
    }

    /// <summary>Every setting of a DNSSEC policy.</summary>
    public static string OfPolicies()
    {
        SettingsPages page = new();
        page.AddHeading(2, "Each setting");
        foreach (DnssecPolicyRule rule in DnssecPolicyTable.Rules)
        {
            JsonNode setting = Schema["$defs"]!["DnssecPolicy"]!["properties"]![rule.Name]!;
            page.AddSetting(3, rule.Name, setting, rule.Expected, null);
            JsonObject policy = new() { [rule.Name] = setting["examples"]![0]!.DeepClone() };
            if (rule.Name == "OptOut") policy.Insert(0, "Denial", "nsec3");
            if (rule.Name == "OfflineKsk") policy.Insert(0, "Keys", "ksk+zsk");
            page.AddExample(Nested("Dns", "DnssecPolicies", new JsonObject { ["fast"] = policy }));
        }
        return page._text.ToString();
    }

    /// <summary>A zone that may have a setting, with it.</summary>
    private static JsonObject ZoneWith(ZoneRule rule, JsonNode example)
    {
        JsonObject zone = rule switch
        {
            { Scopes: ZoneRuleScopes.Directory } => new() { ["Directory"] = "zones" },
            { Name: "Catalog" } => new() { ["Name"] = "catalog.example" },
            { Name: "MemberTemplate" } =>
                new() { ["Name"] = "catalog.example", ["Type"] = "secondary", ["Primaries"] = Primaries,
                    ["Catalog"] = "consumer" },
            { Role: ZoneRole.Secondary } or { Name: "Type" } =>
                new() { ["Name"] = "example.com", ["Type"] = "secondary", ["Primaries"] = Primaries },
            { Name: "Group" } =>
                new() { ["Name"] = "example.com", ["File"] = "example.com.zone", ["MemberOf"] = "catalog.example" },
            _ => new() { ["Name"] = "example.com", ["File"] = "example.com.zone" },
        };
        zone[rule.Name] = example.DeepClone();
        return zone;
    }

    private void AddSection(JsonNode section, SectionRule rules, string path)
    {
        // Sections come behind the settings beside them, so that each setting is below the heading of its section.
        foreach (var (name, setting) in section["properties"]!
            .AsObject().OrderBy(one => one.Value!["properties"] is not null))
        {
            string key = path + ":" + name;
            SettingRule rule = rules.Members.Single(member => member.Name == name);
            if (rule is SectionRule inner)
            {
                AddHeading(2, $"`{key}`");
                AddText((string)setting!["description"]!);
                AddSection(setting!, inner, key);
                continue;
            }
            AddSetting(3, key, Resolve(setting!), KindOf(rule) ?? KindOf(Resolve(setting!)),
                "Takes effect: " + (SettingsTable.IsLive(key) ? "at a reload" : "at the next start"));
            AddMembers(Resolve(setting!));
            AddExample(Nested(key.Split(':'), setting!["examples"]![0]!));
        }
    }

    private void AddSetting(int level, string name, JsonNode setting, string kind, string? note)
    {
        AddHeading(level, $"`{name}`");
        AddText((string)setting["description"]!);
        _text.Append("- Value: ").Append(Linked(kind)).Append('\n');
        if (setting.AsObject().ContainsKey("default"))
            _text.Append("- Default: `").Append(Inline(setting["default"])).Append("`\n");
        if (note is not null) _text.Append("- ").Append(note).Append('\n');
        _text.Append('\n');
    }

    /// <summary>Adds the elements of a list.</summary>
    private void AddMembers(JsonNode setting)
    {
        JsonNode? element = setting["items"] ?? setting["additionalProperties"] as JsonObject;
        JsonNode[] kinds = element?["oneOf"] is JsonArray several
            ? [.. several.Select(kind => kind!)] : element is null ? [] : [element];
        string[] pages = [.. kinds.Select(kind => PageOf(kind)).OfType<string>().Distinct()];
        foreach (string page in pages)
            _text.Append(
                $"Members: [{(page == "dnssec-policies.md" ? "DNSSEC policies" : "settings of a zone")}]({page}).\n\n");
        JsonNode? members = pages.Length > 0 ? null : kinds.FirstOrDefault(kind => kind["properties"] is not null);
        if (members is null) return;
        _text.Append("Members of an object:\n\n");
        foreach (var (name, member) in members["properties"]!.AsObject())
        {
            bool isRequired = members["required"]?.AsArray().Any(one => (string)one! == name) == true;
            string choices = member!["enum"] is null ? "" : $" Value: {KindOf(member)}.";
            string given = member.AsObject().ContainsKey("default") ? $" Default: `{Inline(member["default"])}`." : "";
            _text
                .Append(
                    $"- `{name}`{(isRequired ? " (required)" : "")}: " +
                        $"{Linked((string)member["description"]!)}{choices}{given}\n");
        }
        _text.Append('\n');

        static string? PageOf(JsonNode kind) =>
            kind["$ref"] is { } reference &&
                Pages.TryGetValue(((string)reference!)[Reference.Length..], out string? page) ? page : null;
    }

    private void AddHeading(int level, string heading)
    {
        if (_text.Length < 2 || _text[^2] != '\n') _text.Append('\n');
        _text.Append('#', level).Append(' ').Append(heading).Append("\n\n");
    }

    private void AddText(string text) => _text.Append(Linked(text)).Append("\n\n");

    private void AddExample(JsonNode example) => _text.Append("```json\n").Append(Inline(example)).Append("\n```\n");

    /// <summary>The description of a value by its rule; null if the schema has it.</summary>
    private static string? KindOf(SettingRule rule) => rule switch
    {
        NumberRule number => $"whole number of {number.Unit}, {number.Least} to {number.Most}",
        DurationRule time => $"[time](settings-file.md#times-and-sizes) up to {DurationRule.Format(time.Most)}",
        SizeRule size =>
            $"[size](settings-file.md#times-and-sizes), {SizeRule.Format(size.Least)} to {SizeRule.Format(size.Most)}",
        FractionRule => "number, 0 to 1",
        TextRule => $"text of 1 to {TextRule.MaxOctets} octets, or `null`",
        PathRule or SocketPathRule { IsOfControl: false } => "path, or `null`",
        SocketPathRule or DirectoryRule => "path, `auto` or `null`",
        UrlRule => "HTTP address, or `null`",
        _ => null,
    };

    /// <summary>What a value is, by the schema.</summary>
    private static string KindOf(JsonNode setting)
    {
        if (setting["enum"] is JsonArray choices)
            return "one of " + string.Join(", ", choices.Select(choice => $"`{choice}`"));
        string[] types = setting["type"] is JsonArray several
            ? [.. several.Select(type => (string)type!)] : [(string)setting["type"]!];
        if (types.Contains("integer") && types.Contains("string")) return "[time](settings-file.md#times-and-sizes)";
        string kind = types[0] switch
        {
            "array" when (string?)setting["items"]!["type"] == "string" => "list of text",
            "array" when setting["items"]!["oneOf"] is JsonArray kinds &&
                kinds.Any(one => (string?)one!["type"] == "string") =>
                "list of text or objects",
            "array" => "list of objects",
            "object" => "object with members of any name",
            "boolean" => "`true` or `false`",
            _ => "text",
        };
        return types.Contains("null") ? kind + ", or `null`" : kind;
    }

    /// <summary>Text as Markdown, in which each setting that is named is a link.</summary>
    private static string Linked(string text) => SettingName().Replace(
        text.Replace("*", "\\*", StringComparison.Ordinal),
        match =>
            $"[{match.Value}](settings.md#{match.Value.Replace(":", "", StringComparison.Ordinal).ToLowerInvariant()})");

    private static JsonObject Nested(string section, string name, JsonNode value) => Nested([section, name], value);

    private static JsonObject Nested(ReadOnlySpan<string> path, JsonNode value) =>
        new() { [path[0]] = path.Length == 1 ? value.DeepClone() : Nested(path[1..], value) };

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
}
