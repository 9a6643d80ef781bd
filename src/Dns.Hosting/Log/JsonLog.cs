using Microsoft.Extensions.Configuration;

namespace Dns.Hosting.Log;

/// <summary>Makes the sinks of section <c>Serilog</c> write JSON if <c>Dns:Log:Format</c> is json.</summary>
internal static class JsonLog
{
    private static readonly string[] Lists = ["Serilog:WriteTo", "Serilog:AuditTo"];
    private static readonly string[] Sinks = ["Console", "File"];
    private static readonly string[] Formats = ["formatter", "outputTemplate"];

    public static bool IsWanted(IConfiguration settings) =>
        "Json".Equals(settings["Dns:Log:Format"], StringComparison.OrdinalIgnoreCase);

    /// <summary>The settings, with the formatter added to each sink without its own formatter or template.</summary>
    public static IConfiguration AddTo(IConfiguration settings)
    {
        Dictionary<string, string?> added = [];
        foreach (IConfigurationSection sink in Lists.SelectMany(list => settings.GetSection(list).GetChildren()))
        {
            string? name = sink.Value ?? sink["Name"];
            if (!Sinks.Contains(name, StringComparer.OrdinalIgnoreCase) ||
                Formats.Any(format => sink[$"Args:{format}"] is not null))
                continue;
            // A name alone has no arguments.
            added[sink.Path] = null;
            added[$"{sink.Path}:Name"] = name;
            added[$"{sink.Path}:Args:formatter"] = typeof(JsonLogFormatter).AssemblyQualifiedName;
        }
        return new ConfigurationBuilder().AddConfiguration(settings).AddInMemoryCollection(added).Build();
    }
}
