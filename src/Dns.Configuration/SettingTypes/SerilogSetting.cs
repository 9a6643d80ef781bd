using System.Text.Json.Nodes;

namespace Dns.Configuration.SettingTypes;

/// <summary>
/// Checks what of section <c>Serilog</c> would else be ignored in silence or end in an exception: keys, levels and
/// sinks. The rest belongs to Serilog.
/// </summary>
public static class SerilogSetting
{
    /// <summary>Levels, the least important first.</summary>
    public static readonly string[] Levels = ["Verbose", "Debug", "Information", "Warning", "Error", "Fatal"];

    private static readonly string[] Keys =
    [
        "MinimumLevel", "WriteTo", "Using", "Enrich", "Properties", "Filter", "Destructure", "LevelSwitches",
        "FilterSwitches", "AuditTo",
    ];

    private static readonly string[] Sinks = ["Console", "File"];

    /// <summary>The JSON Schema of the section.</summary>
    internal static JsonNode Schema() => JsonNode.Parse("""
        {
          "description": "The log, as Serilog.Settings.Configuration reads it. Sinks: Console, File. Default: Console.",
          "type": "object",
          "properties": {
            "MinimumLevel": {
              "description": "The least important level that is written, or an object with Default and Override.",
              "type": ["string", "object"]
            },
            "WriteTo": { "type": ["array", "object"] }
          }
        }
        """)!;

    internal static void Apply(SettingNode section, string path, SettingsBinder binder)
    {
        if (section.Kind != SettingKind.Section)
        {
            binder.Expect(section, path, "an object { ... }");
            return;
        }
        foreach (SettingNode member in section.Children)
            // What stands behind a colon is the user's own: WriteTo:Async is WriteTo once more.
            if (!Keys.Contains(member.Name.Split(':')[0], StringComparer.OrdinalIgnoreCase))
                binder.Unknown(member, $"{path}:{member.Name}", Keys);
        if (section.Find("MinimumLevel") is { } level) CheckLevels(level, path + ":MinimumLevel", binder);
        // Other sinks come with an assembly that Using names.
        if (section.Find("Using") is null && section.Find("WriteTo") is { } sinks)
            foreach (SettingNode sink in sinks.Children) CheckSink(sink, $"{path}:WriteTo:{sink.Name}", binder);
    }

    private static void CheckLevels(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind is SettingKind.Section)
        {
            foreach (SettingNode member in node.Children) CheckLevels(member, path + ":" + member.Name, binder);
            return;
        }
        bool isSwitch = node.Value is ['$', ..] || path.EndsWith(":ControlledBy", StringComparison.OrdinalIgnoreCase);
        if (!isSwitch && !Levels.Contains(node.Value, StringComparer.OrdinalIgnoreCase))
            binder.Expect(node, path, "one of " + string.Join(", ", Levels));
    }

    private static void CheckSink(SettingNode sink, string path, SettingsBinder binder)
    {
        SettingNode name = sink.Find("Name") ?? sink;
        // Serilog ignores a sink whose name has another letter case.
        bool isFile = name.Value == Sinks[1];
        if (!isFile && name.Value != Sinks[0])
        {
            binder.Expect(name, name == sink ? path : path + ":Name", "a sink with the Name Console or File");
            return;
        }
        // A sink whose arguments do not fit is left out by Serilog: the server would run without a log.
        SettingNode? arguments = sink.Find("Args");
        string[] known = isFile ? SinkArguments.OfFile : SinkArguments.OfConsole;
        foreach (SettingNode argument in arguments?.Children ?? [])
        {
            string argumentPath = $"{path}:Args:{argument.Name}";
            if (known.Contains(argument.Name, StringComparer.OrdinalIgnoreCase))
                SinkArguments.Check(argument, argumentPath, binder);
            else binder.Unknown(argument, argumentPath, known);
        }
        if (isFile && arguments?.Find("path") is null)
            binder.Report(sink, $"{path} has no Args:path: expected the file to write to");
    }
}
