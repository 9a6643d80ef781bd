namespace Dns.Reloading.Zones;

/// <summary>Zones with updates whose file is that of another zone too: it is not written.</summary>
internal static class SharedZoneFiles
{
    /// <summary>A warning for each.</summary>
    public static IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones)
    {
        UpdatePolicy ofAll = new(options.AllowUpdate);
        ZoneFile[] updated =
            [.. zones.Files.Where(file => (file.Policy?.AllowUpdate ?? ofAll).Rules.Count > 0)];
        if (updated.Length == 0) yield break;
        ILookup<(string, string), DomainName> users =
            zones.Files.ToLookup(file => (file.Directory, file.FileName), file => file.Zone);
        foreach (ZoneFile file in updated)
            if (users[(file.Directory, file.FileName)].FirstOrDefault(zone => !zone.Equals(file.Zone)) is { } other)
                yield return new SettingWarning(new SettingLocation(file.Path), IsNote: false,
                    $"zone {file.Zone} has updates, and zone {other} is served from this file as well: "
                        + "\"dnsd zone sync\" does not write it");
    }
}
