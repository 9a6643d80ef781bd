using System.Net;

namespace Dns.Replication;

/// <summary>
/// Zones that wait for their transfer, in turns by primary, of which one has a share of the places: one that gives many zones, or gives
/// them slowly, does not keep the others waiting. Not thread-safe.
/// </summary>
internal sealed class TransferQueue
{
    private readonly Dictionary<IPEndPoint, Queue<SecondaryZone>> _byPrimary = [];
    private readonly Queue<IPEndPoint> _turns = [];
    private readonly Dictionary<IPEndPoint, int> _running = [];

    /// <summary>How many zones wait.</summary>
    public int Count { get; private set; }

    /// <summary>Puts a zone behind those of the same primary.</summary>
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

    /// <summary>Takes the next zone of the primary whose turn it is, and counts its transfer until <see cref="Leave"/>.</summary>
    /// <param name="share">How many transfers of one primary run at a time.</param>
    /// <param name="primary">The primary.</param>
    /// <returns>Null if none waits that may run.</returns>
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

    /// <summary>A transfer of a primary has ended.</summary>
    public void Leave(IPEndPoint primary)
    {
        int left = _running[primary] - 1;
        if (left > 0) _running[primary] = left;
        else _running.Remove(primary);
    }

    /// <summary>Forgets what waits.</summary>
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
