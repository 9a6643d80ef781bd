namespace Dns.Zones.Lookup;

/// <summary>The zone set that queries currently see. Swapped as a whole; read once for each query or batch.</summary>
public sealed class PublishedZones
{
    private volatile ZoneSet _current = ZoneSet.Empty;

    /// <summary>The current set.</summary>
    public ZoneSet Current => _current;

    /// <summary>Publishes another set for subsequent queries.</summary>
    public void Publish(ZoneSet set) => _current = set;
}
