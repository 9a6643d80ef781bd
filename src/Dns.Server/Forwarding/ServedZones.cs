namespace Dns.Server.Forwarding;

/// <summary>The served names, for the forwarder.</summary>
internal sealed class ServedZones(PublishedZones zones) : IServedZones
{
    public long Snapshot => zones.Current.Snapshot;

    public int ZoneLabels(scoped ref readonly LookupName name, RRType type) =>
        Find(zones.Current, in name, type, out _);

    /// <summary>Labels of the zone that answers: for DS the one above the cut, if it is served; -1 = none.</summary>
    internal static int Find(ZoneSet set, scoped ref readonly LookupName name, RRType type, out ZoneSlot? slot)
    {
        slot = set.Find(in name, 0, out int skip);
        if (slot is null) return -1;
        if (type == RRType.DS && skip == 0 && set.Find(in name, 1, out int above) is { } parent)
            (slot, skip) = (parent, above);
        return name.LabelCount - skip;
    }
}
