namespace Dns.Reloading.Zones;

/// <summary>Warnings of settings that depend on the files of zones.</summary>
public static class ZoneWarnings
{
    /// <summary>Those of a check, a start and a reload.</summary>
    public static IEnumerable<SettingWarning> Find(ServerOptions options, ZoneExpansion zones) =>
        ServedAndForwarded.FindWarnings(options, zones).Concat(SharedZoneFiles.FindWarnings(options, zones));
}
