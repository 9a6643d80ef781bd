using Dns.Protocol;
using Dns.Replication;

namespace Dns.Server;

/// <summary>
/// How the secondary zones of two readings of the settings differ. What else is said of a zone that stays is not compared.
/// </summary>
/// <param name="Added">Zones that are new.</param>
/// <param name="Removed">Zones that are not there any more.</param>
/// <param name="Moved">Zones that are copied from other primaries than before.</param>
internal sealed record SecondaryChanges(
    IReadOnlyList<DomainName> Added, IReadOnlyList<DomainName> Removed, IReadOnlyList<DomainName> Moved)
{
    /// <summary>No difference.</summary>
    public static SecondaryChanges None { get; } = new([], [], []);

    /// <summary>Compares two lists, each of which has a name once.</summary>
    public static SecondaryChanges Between(IReadOnlyList<SecondaryZoneOptions> before, IReadOnlyList<SecondaryZoneOptions> now)
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
