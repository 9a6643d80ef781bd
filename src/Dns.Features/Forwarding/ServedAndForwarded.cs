namespace Dns.Features.Forwarding;

/// <summary>Zones that are both served and forwarded: of equal names the served zone answers.</summary>
public static class ServedAndForwarded
{
    /// <summary>Reports those that the settings have by their names, which is a mistake.</summary>
    public static void Refuse(IReadOnlyList<ForwardZone> forward, SettingsBinder binder)
    {
        HashSet<DomainName> forwarded = [.. forward.Select(zone => zone.Name)];
        foreach (ZoneOptions zone in binder.Options.Zones)
            if (zone.Name is { } name && forwarded.Contains(name))
                binder.Report(zone.Location, $"{zone.Key}: zone {name} is "
                    + (zone.Path is { } path ? $"served from {path}, and " : "")
                    + "forwarded by Dns:Forward as well: expected one of them");
    }

    /// <summary>Those of zone directories and of commands: others put them there while the server runs.</summary>
    public static IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones)
    {
        HashSet<DomainName> forwarded = [.. options.Forward.Select(zone => zone.Name)];
        forwarded.ExceptWith(options.Zones.Select(zone => zone.Name).OfType<DomainName>());
        foreach (ZoneFile file in zones.Files)
            if (forwarded.Contains(file.Zone))
                yield return new SettingWarning(new SettingLocation(file.Path), IsNote: false,
                    $"zone {file.Zone} is served from this file, and not forwarded as Dns:Forward has it");
    }
}
