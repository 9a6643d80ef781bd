namespace Dns.Answering.Planning;

/// <summary>
/// Versions of the zones that an alias chain has passed: the answer stays with them if a zone is republished.
/// </summary>
internal struct ZoneVersions
{
    [InlineArray(Resolution.MaxAliases)]
    private struct FoundZones
    {
        private ZoneSlot? _first;
    }

    [InlineArray(Resolution.MaxAliases)]
    private struct Zones
    {
        private Zone? _first;
    }

    private FoundZones _zoneSlots;
    private Zones _zones;
    private int _count;

    /// <summary>The version of a zone that answers; <paramref name="current"/> at the chain's first visit.</summary>
    /// <returns>Null if the zone had no data.</returns>
    internal Zone? Of(ZoneSlot zoneSlot, Zone? current)
    {
        for (int i = 0; i < _count; i++)
            if (ReferenceEquals(_zoneSlots[i], zoneSlot)) return _zones[i];
        _zoneSlots[_count] = zoneSlot;
        _zones[_count++] = current;
        return current;
    }
}
