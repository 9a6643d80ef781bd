namespace Dns.Features.Updates;

/// <summary>Files of several zones, one of them with updates: they are not written.</summary>
public static class SharedZoneFiles
{
    /// <summary>A warning for each.</summary>
    public static IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones)
    {
        UpdatePolicy ofAll = new(options.AllowUpdate);
        bool HasUpdates(ZoneFile file) => (file.Policy?.AllowUpdate ?? ofAll).Rules.Count > 0;
        if (!zones.Files.Any(HasUpdates)) yield break;
        foreach (var users in zones.Files.GroupBy(file => Path.GetFullPath(file.Path)))
        {
            if (users.Skip(1).FirstOrDefault() is not { Zone: not null } second) continue;
            ZoneFile updated = users.FirstOrDefault(HasUpdates);
            if (updated.Zone is null) continue;
            DomainName other = updated.Zone.Equals(second.Zone) ? users.First().Zone : second.Zone;
            yield return new SettingWarning(new SettingLocation(updated.Path), IsNote: false,
                $"zone {updated.Zone} has updates, and zone {other} is served from this file as well: "
                    + "\"dnsd zone sync\" does not write it");
        }
    }
}
