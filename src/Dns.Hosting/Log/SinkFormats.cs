using Microsoft.Extensions.Configuration;

namespace Dns.Hosting.Log;

/// <summary>
/// Gives the sinks of section <c>Serilog</c> the format <c>Dns:Log:Format</c>: their own templates lack the event ids.
/// </summary>
internal static class SinkFormats
{
    private static readonly string[] Lists = ["Serilog:WriteTo", "Serilog:AuditTo"];
    private static readonly string[] Sinks = ["Console", "File"];
    private static readonly string[] Formats = ["formatter", "outputTemplate"];

    public static bool IsJson(IConfiguration settings) =>
        "Json".Equals(settings["Dns:Log:Format"], StringComparison.OrdinalIgnoreCase);

    /// <summary>The sections of the sinks, with their names.</summary>
    public static IEnumerable<(IConfigurationSection Sink, string? Name)> SinksOf(IConfiguration settings) =>
        Lists.SelectMany(list => settings.GetSection(list).GetChildren())
            .Select(sink => (sink, sink.Value ?? sink["Name"]));

    /// <summary>The settings, with the format added to each sink without its own formatter or template.</summary>
    public static IConfiguration AddTo(IConfiguration settings)
    {
        (string argument, string? format) = IsJson(settings)
            ? ("formatter", typeof(JsonLogFormatter).AssemblyQualifiedName)
            : ("outputTemplate", LogSetup.TextTemplate);
        Dictionary<string, string?> added = [];
        foreach ((IConfigurationSection sink, string? name) in SinksOf(settings))
        {
            if (!Sinks.Contains(name, StringComparer.OrdinalIgnoreCase) ||
                Formats.Any(own => sink[$"Args:{own}"] is not null))
                continue;
            // A name alone has no arguments.
            added[sink.Path] = null;
            added[$"{sink.Path}:Name"] = name;
            added[$"{sink.Path}:Args:{argument}"] = format;
        }
        return new ConfigurationBuilder().AddConfiguration(settings).AddInMemoryCollection(added).Build();
    }
}
