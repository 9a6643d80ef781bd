namespace Dns.Replication.Incoming;

/// <summary>
/// Zones that wait for the query of a serial, or for a transfer, round-robin by primary. A primary gets another slot
/// while it has fewer than are free: the first one half of them, the next half of the rest. Many or slow zones of a few
/// primaries thus do not delay those of others. Not thread-safe.
/// </summary>
internal sealed class PrimaryQueue
{
    private readonly Dictionary<IPEndPoint, LinkedList<SecondaryZone>> _byPrimary = [];
    private readonly Queue<IPEndPoint> _turns = [];
    private readonly Dictionary<IPEndPoint, int> _running = [];

    /// <summary>The number of waiting zones.</summary>
    public int Count { get; private set; }

    /// <summary>The number of slots in use.</summary>
    public int Running { get; private set; }

    /// <summary>Appends a zone to those of a primary, unless it is one; it then waits for no other primary.</summary>
    public void Enqueue(IPEndPoint primary, SecondaryZone zone)
    {
        if (zone.QueueNode is { List: { } list } node)
        {
            if (_byPrimary.GetValueOrDefault(primary) == list) return;
            list.Remove(node);
            Count--;
        }
        if (!_byPrimary.TryGetValue(primary, out LinkedList<SecondaryZone>? zones))
        {
            _byPrimary[primary] = zones = [];
            _turns.Enqueue(primary);
        }
        zone.QueueNode = zones.AddLast(zone);
        Count++;
    }

    /// <summary>Takes the next zone; its primary has a slot until <see cref="Leave"/>. Null if none may run.</summary>
    /// <param name="free">The number of free slots, at least 1.</param>
    public SecondaryZone? Dequeue(int free, out IPEndPoint? primary)
    {
        for (int turns = _turns.Count; turns > 0; turns--)
        {
            primary = _turns.Dequeue();
            LinkedList<SecondaryZone> zones = _byPrimary[primary];
            if (zones.Count == 0)
            {
                _byPrimary.Remove(primary);
                continue;
            }
            int running = _running.GetValueOrDefault(primary);
            if (running >= free)
            {
                _turns.Enqueue(primary);
                continue;
            }
            _running[primary] = running + 1;
            Running++;
            return DequeueOf(primary, zones);
        }
        primary = null;
        return null;
    }

    /// <summary>Frees a slot of a primary.</summary>
    public void Leave(IPEndPoint primary)
    {
        Running--;
        int left = _running[primary] - 1;
        if (left > 0) _running[primary] = left;
        else _running.Remove(primary);
    }

    /// <summary>Removes the waiting zones.</summary>
    public void Clear()
    {
        _byPrimary.Clear();
        _turns.Clear();
        Count = 0;
    }

    private SecondaryZone DequeueOf(IPEndPoint primary, LinkedList<SecondaryZone> zones)
    {
        SecondaryZone zone = zones.First!.Value;
        zones.RemoveFirst();
        zone.QueueNode = null;
        if (zones.Count > 0) _turns.Enqueue(primary);
        else _byPrimary.Remove(primary);
        Count--;
        return zone;
    }
}
