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

    /// <summary>
    /// Labels that a forwarded zone must exceed to answer instead; -1 = any does. DS at an apex whose parent is not
    /// served is the parent's, which recursion can query (RFC 4035 §3.1.4.1).
    /// </summary>
    internal static int LabelsOf(ZoneSlot? zoneSlot, scoped ref readonly LookupName name, RRType type, int apexSkip) =>
        zoneSlot is null || (type == RRType.DS && apexSkip == 0) ? -1 : name.LabelCount - apexSkip;

    private static ZoneSlot FindParent(ZoneSet zones, scoped ref readonly LookupName name, ZoneSlot zoneSlot,
        ref int apexSkip)
    {
        if (zones.Find(in name, 1, out int parentSkip) is not { } parent) return zoneSlot;
        apexSkip = parentSkip;
        return parent;
    }
}
