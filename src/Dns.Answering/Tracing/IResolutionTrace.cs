namespace Dns.Answering.Tracing;

/// <summary>
/// Receives the steps of a resolution, one call for each name in order: the question's name and alias targets. It is a
/// type parameter of the resolution, so that the calls compile away without a trace.
/// </summary>
public interface IResolutionTrace
{
    /// <summary>Whether this is a real trace. If so, no cached answer is used.</summary>
    static abstract bool IsTraced { get; }

    /// <summary>The queried type is a meta-type.</summary>
    /// <param name="apexOf">The zone of that name; null if none is served.</param>
    /// <param name="rcode">The RCODE; NOERROR if a handler answers.</param>
    void OnMetaType(scoped ref readonly LookupName name, ZoneSlot? apexOf, Rcode rcode);

    /// <summary>A policy decides about a name.</summary>
    void OnPolicy(scoped ref readonly LookupName name, PolicyVerdict verdict);

    /// <summary>A name is forwarded.</summary>
    void OnElsewhere(scoped ref readonly LookupName name);

    /// <summary>No served zone holds a name, or its zone has no data.</summary>
    void OnNoZone(scoped ref readonly LookupName name, ZoneSlot? zoneSlot);

    /// <summary>The client has no access to a name's zone.</summary>
    void OnDenied(scoped ref readonly LookupName name, ZoneSlot zoneSlot);

    /// <summary>A name was looked up.</summary>
    void OnLookup(scoped ref readonly LookupName name, ZoneSlot zoneSlot, Zone zone, scoped LookupResult found);
}
