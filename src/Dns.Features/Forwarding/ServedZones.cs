namespace Dns.Features.Forwarding;

/// <summary>The served names, for the forwarder.</summary>
public sealed class ServedZones(PublishedZones zones) : IServedZones
{
    public long Snapshot => zones.Current.Snapshot;

    // DS belongs to the zone above the cut.
    public int ZoneLabels(scoped ref readonly LookupName name, RRType type) =>
        zones.Current.Find(in name, type == RRType.DS && name.LabelCount > 0 ? 1 : 0, out int skip) is null
            ? -1 : name.LabelCount - skip;
}
