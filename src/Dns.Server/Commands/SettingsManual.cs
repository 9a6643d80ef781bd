using System.Text.Json.Nodes;

namespace Dns.Server;

/// <summary>dnsd.json(5): the settings, made of the schema that stands beside the program.</summary>
internal static class SettingsManual
{
    /// <summary>The schema's file.</summary>
    public const string SchemaFile = "dnsd.schema.json";

    /// <summary>The page.</summary>
    /// <exception cref="System.Text.Json.JsonException">The schema is not JSON.</exception>
    public static string Text(string schema)
    {
        ManualText page = new ManualText("DNSD.JSON", 5)
            .Section("NAME").Paragraph("dnsd.json - settings of dnsd")
            .Section("DESCRIPTION")
            .Paragraph("JSON; comments and a comma behind the last element are allowed. Section Dns is the server's, section Serilog "
                + "configures its log. Relative paths are relative to the file. An unknown key is an error; \"dnsd check\" lists "
                + "all errors.")
            .Paragraph("An environment variable replaces one value (Dns__MaxUdpPayload=4096, Dns__Listen__0=192.0.2.1:53), the command "
                + "line replaces both (--Dns:MaxUdpPayload=4096).")
            .Section("SETTINGS");
        AddSection(JsonNode.Parse(schema)?["properties"]?["Dns"], "Dns", page);
        return page.Section("EXAMPLE").Verbatim(ServiceSettings.Text.ReplaceLineEndings("\n").TrimEnd().Split('\n'))
            .Section("SEE ALSO").Paragraph("dnsd(8)")
            .ToString();
    }

    private static void AddSection(JsonNode? section, string path, ManualText page)
    {
        foreach (var (name, setting) in section?["properties"]?.AsObject() ?? [])
        {
            if (setting is null) continue;
            string key = path + ":" + name;
            if (setting["properties"] is not null) AddSection(setting, key, page);
            else page.Term(key, $"{setting["description"]} {ValuesOf(setting.AsObject())}".Trim());
        }
    }

    private static string ValuesOf(JsonObject setting)
    {
        List<string> parts = [];
        if (setting["enum"] is JsonArray choices) parts.Add("One of " + string.Join(", ", choices));
        if (setting["minimum"] is { } least && setting["maximum"] is { } most) parts.Add($"From {least} to {most}");
        if (setting.ContainsKey("default")) parts.Add("Default: " + (setting["default"]?.ToJsonString() ?? "none"));
        return parts.Count == 0 ? "" : string.Join(". ", parts) + ".";
    }
}
