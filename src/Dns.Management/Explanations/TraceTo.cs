namespace Dns.Management.Explanations;

/// <summary>Forwards the steps of a resolution.</summary>
public readonly struct TraceTo(ExplanationTrace trace) : IResolutionTrace
{
    public static bool IsTraced => true;

    public void OnMetaType(scoped ref readonly LookupName name, ZoneSlot? apexOf, Rcode rcode) =>
        trace.OnMetaType(in name, apexOf);

    public void OnPolicy(scoped ref readonly LookupName name, PolicyVerdict verdict) =>
        trace.OnPolicy(in name, verdict);

    public void OnElsewhere(scoped ref readonly LookupName name) => trace.OnElsewhere(in name);

    public void OnNoZone(scoped ref readonly LookupName name, ZoneSlot? zoneSlot) => trace.OnNoZone(in name, zoneSlot);

    public void OnDenied(scoped ref readonly LookupName name, ZoneSlot zoneSlot) => trace.OnDenied(in name, zoneSlot);

    public void OnLookup(scoped ref readonly LookupName name, ZoneSlot zoneSlot, Zone zone,
        scoped LookupResult found) =>
        trace.OnLookup(in name, zoneSlot, zone, found);
}
