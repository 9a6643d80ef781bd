namespace Dns.Zones;

/// <summary>The set of zones that queries see at this moment. Swapped whole; read once for each query or batch.</summary>
public sealed class PublishedZones
{
    private volatile ZoneSet _current = ZoneSet.Empty;

    /// <summary>The current set.</summary>
    public ZoneSet Current => _current;

    /// <summary>Lets queries from now on see another set.</summary>
    public void Publish(ZoneSet set) => _current = set;
}
