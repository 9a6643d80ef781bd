using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>The zones that this server answers for by itself. Thread-safe; allocates nothing.</summary>
public interface IServedZones
{
    /// <summary>A number that grows whenever another set of zones is served.</summary>
    long Snapshot { get; }

    /// <summary>How many labels the zone has that answers a question about a name; -1 if none does, 0 for the root.</summary>
    /// <param name="name">The name.</param>
    /// <param name="type">QTYPE: a DS belongs to the zone above its name, if that is served.</param>
    int ZoneLabels(scoped ref readonly LookupName name, RRType type);
}
