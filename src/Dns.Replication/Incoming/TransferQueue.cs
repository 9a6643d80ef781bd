namespace Dns.Replication.Incoming;

/// <summary>
/// Zones that wait for their transfer, round-robin by primary. A primary gets a share of the slots, so that many or
/// slow zones of one do not delay those of others. Not thread-safe.
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
    /// <param name="share">The maximum number of concurrent transfers from one primary.</param>
    public SecondaryZone? Dequeue(int share, out IPEndPoint? primary)
    {
        for (int turns = _turns.Count; turns > 0; turns--)
        {
            primary = _turns.Dequeue();
            int running = _running.GetValueOrDefault(primary);
            if (running >= share)
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
