using Dns.Answering;
using Dns.Zones;

namespace Dns.Management;

/// <summary>Forwards the steps of a resolution.</summary>
internal readonly struct TraceTo(ExplanationTrace trace) : IResolutionTrace
{
    /// <inheritdoc/>
    public static bool IsOn => true;

    /// <inheritdoc/>
    public void OnMetaType(scoped ref readonly LookupName name, ZoneSlot? apexOf, Rcode rcode) =>
        trace.OnMetaType(in name, apexOf);

    /// <inheritdoc/>
    public void OnElsewhere(scoped ref readonly LookupName name) => trace.OnElsewhere(in name);

    /// <inheritdoc/>
    public void OnNoZone(scoped ref readonly LookupName name, ZoneSlot? zoneSlot) => trace.OnNoZone(in name, zoneSlot);

    /// <inheritdoc/>
    public void OnDenied(scoped ref readonly LookupName name, ZoneSlot zoneSlot) => trace.OnDenied(in name, zoneSlot);

    /// <inheritdoc/>
    public void OnLookup(scoped ref readonly LookupName name, ZoneSlot zoneSlot, Zone zone,
        scoped LookupResult found) =>
        trace.OnLookup(in name, zoneSlot, zone, found);
}
