namespace Dns.Zones.Sources;

/// <summary>Decides which of several claims on a name is served: the lowest value, then the older claim.</summary>
public enum ZonePrecedence : byte
{
    /// <summary>A zone in the settings by name.</summary>
    Settings,

    /// <summary>A zone in a directory of the settings.</summary>
    Directory,

    /// <summary>A zone added by command: after the settings, which take precedence.</summary>
    Command,

    /// <summary>Any other source.</summary>
    Other,

    /// <summary>A built-in zone. Any other claim replaces it without a conflict.</summary>
    BuiltIn,
}
