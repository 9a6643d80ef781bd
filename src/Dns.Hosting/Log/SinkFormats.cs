using Microsoft.Extensions.Configuration;

namespace Dns.Hosting.Log;

/// <summary>
/// Gives the sinks of section <c>Serilog</c> the format <c>Dns:Log:Format</c>, as their own templates lack the event
/// ids, and has files appended to.
/// </summary>
public static class SinkFormats
{
    private static readonly string[] Lists = ["Serilog:WriteTo", "Serilog:AuditTo"];
    private static readonly string[] Sinks = ["Console", "File"];
    private static readonly string[] Formats = ["formatter", "outputTemplate"];
    private static readonly string Hooks = $"{typeof(AppendedFiles).FullName}::{nameof(AppendedFiles.Instance)}, "
        + typeof(AppendedFiles).Assembly.GetName().Name;

    public static bool IsJson(IConfiguration settings) =>
        "Json".Equals(settings["Dns:Log:Format"], StringComparison.OrdinalIgnoreCase);

    private static bool IsFile(string? name) => "File".Equals(name, StringComparison.OrdinalIgnoreCase);

    /// <summary>The sections of the sinks, with their names.</summary>
    public static IEnumerable<(IConfigurationSection Sink, string? Name)> SinksOf(IConfiguration settings) =>
        Lists.SelectMany(list => settings.GetSection(list).GetChildren())
            .Select(sink => (sink, sink.Value ?? sink["Name"]));

    /// <summary>The settings, with what each sink has no argument of its own for.</summary>
    public static IConfiguration AddTo(IConfiguration settings)
    {
        (string argument, string? format) = IsJson(settings)
            ? ("formatter", typeof(JsonLogFormatter).AssemblyQualifiedName)
            : ("outputTemplate", LogSetup.TextTemplate);
        Dictionary<string, string?> added = [];
        foreach ((IConfigurationSection sink, string? name) in SinksOf(settings))
        {
            if (!Sinks.Contains(name, StringComparer.OrdinalIgnoreCase)) continue;
            // A name alone has no arguments.
            added[sink.Path] = null;
            added[$"{sink.Path}:Name"] = name;
            if (Formats.All(own => sink[$"Args:{own}"] is null)) added[$"{sink.Path}:Args:{argument}"] = format;
            if (IsFile(name) && sink["Args:hooks"] is null) AddHooks(sink, added);
        }
        return new ConfigurationBuilder().AddConfiguration(settings).AddInMemoryCollection(added).Build();
    }

    private static void AddHooks(IConfigurationSection sink, Dictionary<string, string?> added)
    {
        if (IsTrue(sink["Args:shared"]))
        {
            // The sink refuses both together; without hooks, "shared" remains on other systems than Linux.
            if (!OperatingSystem.IsLinux() || IsTrue(sink["Args:buffered"])) return;
            // Serilog shares a file by seeking to its end, which fails once the file was truncated (copytruncate).
            added[$"{sink.Path}:Args:shared"] = bool.FalseString;
        }
        added[$"{sink.Path}:Args:hooks"] = Hooks;
        // The default, 1 GiB, is of what was written since the start, whatever logrotate has truncated meanwhile.
        if (!IsRolling(sink) && sink.GetSection("Args").GetChildren().All(argument => !IsLimit(argument.Key)))
            added[$"{sink.Path}:Args:fileSizeLimitBytes"] = "";
    }

    private static bool IsRolling(IConfigurationSection sink) =>
        sink["Args:rollingInterval"] is not (null or "Infinite") || IsTrue(sink["Args:rollOnFileSizeLimit"]);

    private static bool IsLimit(string argument) =>
        argument.Equals("fileSizeLimitBytes", StringComparison.OrdinalIgnoreCase);

    private static bool IsTrue(string? value) => bool.TryParse(value, out bool isTrue) && isTrue;
}
