namespace Dns.Forwarding;

/// <summary>The served zones. Thread-safe; allocates nothing.</summary>
public interface IServedZones
{
    /// <summary>A number that grows with every change of the set of zones.</summary>
    long Snapshot { get; }

    /// <summary>The label count of the zone that answers a question; -1 if none does, 0 for the root.</summary>
    /// <param name="type">QTYPE: DS belongs to the parent zone, if that is served.</param>
    int ZoneLabels(scoped ref readonly LookupName name, RRType type);
}
