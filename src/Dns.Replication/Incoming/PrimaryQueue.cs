namespace Dns.Replication.Incoming;

/// <summary>
/// Zones that wait for their transfer, round-robin by primary. A primary gets another slot while it has fewer than are
/// free: the first one half of them, the next half of the rest. Many or slow zones of a few primaries thus do not delay
/// those of others. Not thread-safe.
/// </summary>
internal sealed class TransferQueue
{
    private readonly Dictionary<IPEndPoint, Queue<SecondaryZone>> _byPrimary = [];
    private readonly Queue<IPEndPoint> _turns = [];
    private readonly Dictionary<IPEndPoint, int> _running = [];

    /// <summary>The number of waiting zones.</summary>
    public int Count { get; private set; }

    /// <summary>Appends a zone to those of its primary.</summary>
    public void Enqueue(IPEndPoint primary, SecondaryZone zone)
    {
        if (!_byPrimary.TryGetValue(primary, out Queue<SecondaryZone>? zones))
        {
            _byPrimary[primary] = zones = [];
            _turns.Enqueue(primary);
        }
        zones.Enqueue(zone);
        Count++;
    }

    /// <summary>Takes the next zone; counts its transfer until <see cref="Leave"/>. Null if none may run.</summary>
    /// <param name="free">The number of free slots, at least 1.</param>
    public SecondaryZone? Dequeue(int free, out IPEndPoint? primary)
    {
        for (int turns = _turns.Count; turns > 0; turns--)
        {
            primary = _turns.Dequeue();
            int running = _running.GetValueOrDefault(primary);
            if (running >= free)
            {
                _turns.Enqueue(primary);
                continue;
            }
            _running[primary] = running + 1;
            return DequeueOf(primary);
        }
        primary = null;
        return null;
    }

    /// <summary>Ends a transfer from a primary.</summary>
    public void Leave(IPEndPoint primary)
    {
        int left = _running[primary] - 1;
        if (left > 0) _running[primary] = left;
        else _running.Remove(primary);
    }

    public void Clear()
    {
        _byPrimary.Clear();
        _turns.Clear();
        Count = 0;
    }

    private SecondaryZone DequeueOf(IPEndPoint primary)
    {
        Queue<SecondaryZone> zones = _byPrimary[primary];
        SecondaryZone zone = zones.Dequeue();
        if (zones.Count > 0) _turns.Enqueue(primary);
        else _byPrimary.Remove(primary);
        Count--;
        return zone;
    }
}
