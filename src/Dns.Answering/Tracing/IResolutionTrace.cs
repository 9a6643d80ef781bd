using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>
/// Sees the steps of a resolution: one call for each name, the question's and those that aliases lead to, in their order. The
/// resolution takes it as a type parameter, so that the calls are not there where nothing looks on.
/// </summary>
public interface IResolutionTrace
{
    /// <summary>Whether anything looks on. While something does, no answer is copied from one encoded before.</summary>
    static abstract bool IsOn { get; }

    /// <summary>No data has the type that is asked for.</summary>
    /// <param name="name">The question's name.</param>
    /// <param name="apexOf">The zone of that name; null if none is served.</param>
    /// <param name="rcode">The answer; NOERROR if a handler gives it.</param>
    void OnMetaType(scoped ref readonly LookupName name, ZoneSlot? apexOf, Rcode rcode);

    /// <summary>Others are asked for a name.</summary>
    void OnElsewhere(scoped ref readonly LookupName name);

    /// <summary>No zone served holds a name, or its zone has no data.</summary>
    void OnNoZone(scoped ref readonly LookupName name, ZoneSlot? zoneSlot);

    /// <summary>The client may not ask for what is in a name's zone.</summary>
    void OnDenied(scoped ref readonly LookupName name, ZoneSlot zoneSlot);

    /// <summary>A name was looked up.</summary>
    /// <param name="name">The name.</param>
    /// <param name="zoneSlot">The slot of its zone.</param>
    /// <param name="zone">The version of the zone.</param>
    /// <param name="found">What was found.</param>
    void OnLookup(scoped ref readonly LookupName name, ZoneSlot zoneSlot, Zone zone, scoped LookupResult found);
}

/// <summary>Nothing looks on.</summary>
internal struct NoTrace : IResolutionTrace
{
    /// <inheritdoc/>
    public static bool IsOn => false;

    /// <inheritdoc/>
    public readonly void OnMetaType(scoped ref readonly LookupName name, ZoneSlot? apexOf, Rcode rcode)
    {
    }

    /// <inheritdoc/>
    public readonly void OnElsewhere(scoped ref readonly LookupName name)
    {
    }

    /// <inheritdoc/>
    public readonly void OnNoZone(scoped ref readonly LookupName name, ZoneSlot? zoneSlot)
    {
    }

    /// <inheritdoc/>
    public readonly void OnDenied(scoped ref readonly LookupName name, ZoneSlot zoneSlot)
    {
    }

    /// <inheritdoc/>
    public readonly void OnLookup(
        scoped ref readonly LookupName name, ZoneSlot zoneSlot, Zone zone, scoped LookupResult found)
    {
    }
}
