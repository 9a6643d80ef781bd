namespace Dns.Reloading.Changes;

/// <summary>Secondary zones that differ between two readings of the settings. Other options are not compared.</summary>
/// <param name="Moved">Zones with other primaries.</param>
public sealed record SecondaryChanges(
    IReadOnlyList<DomainName> Added, IReadOnlyList<DomainName> Removed, IReadOnlyList<DomainName> Moved)
{
    public static SecondaryChanges None { get; } = new([], [], []);

    /// <summary>Compares two lists with unique names.</summary>
    public static SecondaryChanges Between(IReadOnlyList<SecondaryZoneOptions> before,
        IReadOnlyList<SecondaryZoneOptions> now)
    {
        Dictionary<DomainName, SecondaryZoneOptions> known = before.ToDictionary(zone => zone.Name);
        List<DomainName> added = [], moved = [];
        foreach (SecondaryZoneOptions zone in now)
        {
            if (!known.Remove(zone.Name, out SecondaryZoneOptions? same)) added.Add(zone.Name);
            else if (!same.Primaries.SequenceEqual(zone.Primaries)) moved.Add(zone.Name);
        }
        return new SecondaryChanges(added, [.. known.Keys], moved);
    }
}
