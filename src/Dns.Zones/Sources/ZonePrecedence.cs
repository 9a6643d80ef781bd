namespace Dns.Zones;

/// <summary>
/// Which of several claims on one name is served: that which comes first here. Of two that are equal, the older one.
/// </summary>
public enum ZonePrecedence : byte
{
    /// <summary>The settings give the zone by name.</summary>
    Settings,

    /// <summary>The zone was found in a directory of the settings.</summary>
    Directory,

    /// <summary>A command has added the zone: after the settings, so that they say what is served.</summary>
    Command,

    /// <summary>Any other source.</summary>
    Other,

    /// <summary>A built-in zone. Any other claim replaces it without a conflict.</summary>
    BuiltIn,
}
