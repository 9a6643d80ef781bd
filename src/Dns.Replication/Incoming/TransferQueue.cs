using System.Net;

namespace Dns.Replication;

/// <summary>
/// Zones that wait for their transfer, in turns by primary: one that gives many zones, or gives them slowly, does not keep the others
/// waiting. Not thread-safe.
/// </summary>
internal sealed class TransferQueue
{
    private readonly Dictionary<IPEndPoint, Queue<SecondaryZone>> _byPrimary = [];
    private readonly Queue<IPEndPoint> _turns = [];

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

    /// <summary>Takes the next zone of the primary whose turn it is.</summary>
    /// <returns>Null if none waits.</returns>
    public SecondaryZone? Dequeue()
    {
        if (!_turns.TryDequeue(out IPEndPoint? primary)) return null;
        Queue<SecondaryZone> zones = _byPrimary[primary];
        SecondaryZone zone = zones.Dequeue();
        if (zones.Count > 0) _turns.Enqueue(primary);
        else _byPrimary.Remove(primary);
        Count--;
        return zone;
    }
}
