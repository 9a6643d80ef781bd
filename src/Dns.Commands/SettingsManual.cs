using System.Text.Json.Nodes;

namespace Dns.Commands;

/// <summary>dnsd.json(5): the settings, generated from the schema file beside the program.</summary>
internal sealed class SettingsManual
{
    public const string SchemaFile = "dnsd.schema.json";

    private const string Reference = "#/$defs/";

    private readonly JsonNode? _definitions;
    private readonly HashSet<string> _written = [];
    private readonly ManualText _page;

    private SettingsManual(JsonNode? schema, ManualText page) => (_definitions, _page) = (schema?["$defs"], page);

    /// <exception cref="System.Text.Json.JsonException">The schema is not JSON.</exception>
    public static string Text(string schema)
    {
        ManualText page = new ManualText("DNSD.JSON", 5)
            .Section("NAME").Paragraph("dnsd.json - settings of dnsd")
            .Section("DESCRIPTION")
            .Paragraph(
                "JSON; comments and a comma behind the last element are allowed. Section Dns is the server's, " +
                    "section Serilog "
                +
                "configures its log. Relative paths are relative to the file. An unknown key is an error; \"dnsd " +
                "check\" lists "
                + "all errors.")
            .Paragraph(
                "An environment variable replaces one value (Dns__MaxUdpPayload=4096, Dns__Listen__0=192.0.2.1:53), " +
                    "the command "
                +
                "line replaces both (--Dns:MaxUdpPayload=4096). N is the index of an element from 0, NAME a name of " +
                "your own.")
            .Section("SETTINGS");
        JsonNode? root = JsonNode.Parse(schema);
        new SettingsManual(root, page).AddSection(root?["properties"]?["Dns"], "Dns");
        return page.Section("EXAMPLE").Verbatim(ServiceSettings.Text.ReplaceLineEndings("\n").TrimEnd().Split('\n'))
            .Section("SEE ALSO").Paragraph("dnsd(8)")
            .ToString();
    }

    private void AddSection(JsonNode? section, string path)
    {
        foreach (var (name, given) in section?["properties"]?.AsObject() ?? [])
        {
            JsonNode? setting = given?["description"] is null ? Resolve(given) : given;
            if (setting is null) continue;
            string key = path + ":" + name;
            // Zones and directories share most of their settings.
            if (!_written.Add(key)) continue;
            if (setting["properties"] is not null)
            {
                AddSection(setting, key);
                continue;
            }
            _page.Term(key, $"{setting["description"]} {ValuesOf(setting.AsObject())}".Trim());
            AddMembers(Resolve(setting), key);
        }
    }

    /// <summary>Adds the members of list elements, or of objects with arbitrary names.</summary>
    private void AddMembers(JsonNode? setting, string key)
    {
        foreach (JsonNode? kind in KindsOf(setting?["items"])) AddSection(Resolve(kind), key + ":N");
        foreach (JsonNode? kind in KindsOf(setting?["additionalProperties"] as JsonObject))
            AddSection(Resolve(kind), key + ":NAME");
    }

    private static IEnumerable<JsonNode?> KindsOf(JsonNode? element) =>
        element?["oneOf"] is JsonArray kinds ? kinds : new JsonNode?[] { element };

    private JsonNode? Resolve(JsonNode? node) =>
        node?["$ref"]?.ToString() is { } text && text.StartsWith(Reference, StringComparison.Ordinal)
            ? _definitions?[text[Reference.Length..]] : node;

    private static string ValuesOf(JsonObject setting)
    {
        List<string> parts = [];
        if (setting["enum"] is JsonArray choices) parts.Add("One of " + string.Join(", ", choices));
        if (setting["minimum"] is { } least && setting["maximum"] is { } most) parts.Add($"From {least} to {most}");
        if (setting.ContainsKey("default")) parts.Add("Default: " + (setting["default"]?.ToJsonString() ?? "none"));
        return parts.Count == 0 ? "" : string.Join(". ", parts) + ".";
    }
}
