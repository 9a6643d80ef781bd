using System.Runtime.CompilerServices;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>
/// The versions of the zones that a chain of aliases has come through. A chain may come back to a zone that is published
/// anew meanwhile; the answer stays with the version that it began with.
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

    /// <summary>The version of a zone to answer from: <paramref name="current"/> if the chain comes there first.</summary>
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
