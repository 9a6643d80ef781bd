namespace Dns.Configuration.Options;

/// <summary>What a line of the log looks like.</summary>
public enum LogFormat : byte
{
    /// <summary>A line of words.</summary>
    Text,

    /// <summary>An object of JSON.</summary>
    Json,
}

/// <summary>The log of the server beside section <c>Serilog</c>, section <c>Dns:Log</c>.</summary>
public sealed record LogOptions(LogFormat Format = LogFormat.Text)
{
    /// <summary>The section.</summary>
    public static SettingsSection<LogOptions> Section { get; } =
        new SettingsSection<LogOptions>("Log", "The log of the server, beside section Serilog.", new())
        .Add("Format", Choice<LogFormat>(), o => o.Format, (o, v) => o with { Format = v },
            "Format of a line on the console and in each sink of section Serilog without a formatter or outputTemplate of its own.", "json");
}
