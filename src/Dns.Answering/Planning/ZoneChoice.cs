namespace Dns.Answering.Planning;

/// <summary>Selects the served zone that answers a question.</summary>
internal static class ZoneChoice
{
    /// <summary>The zone that answers; for DS the parent, if it is served (RFC 4035 §3.1.4.1).</summary>
    /// <param name="apexSkip">The number of labels in front of the zone's name.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ZoneSlot? Find(ZoneSet zones, scoped ref readonly LookupName name, RRType type, out int apexSkip)
    {
        ZoneSlot? zoneSlot = zones.Find(in name, 0, out apexSkip);
        return type == RRType.DS && apexSkip == 0 && zoneSlot is not null
            ? FindParent(zones, in name, zoneSlot, ref apexSkip) : zoneSlot;
    }

    private static ZoneSlot FindParent(ZoneSet zones, scoped ref readonly LookupName name, ZoneSlot zoneSlot,
        ref int apexSkip)
    {
        if (zones.Find(in name, 1, out int parentSkip) is not { } parent) return zoneSlot;
        apexSkip = parentSkip;
        return parent;
    }
}
