namespace Dns.Replication;

/// <summary>
/// Threads of their own for what writes to disk: the thread pool is left to those who answer queries. A zone is worked on by one thread
/// at a time; the threads end when nothing is left to do.
/// </summary>
/// <param name="most">How many threads at once.</param>
internal sealed class UpdateWriters(int most)
{
    private readonly Lock _lock = new();
    private readonly Queue<DynamicZone> _ready = [];
    private int _threads;

    /// <summary>Has a zone's updates written. Not for one that is here already.</summary>
    internal void Add(DynamicZone zone)
    {
        lock (_lock)
        {
            _ready.Enqueue(zone);
            if (_threads >= most) return;
            _threads++;
        }
        new Thread(Run) { IsBackground = true, Name = "zone writer" }.Start();
    }

    private void Run()
    {
        while (true)
        {
            DynamicZone? zone;
            lock (_lock)
            {
                if (!_ready.TryDequeue(out zone))
                {
                    _threads--;
                    return;
                }
            }
            // In turns: a zone with many updates does not hold up the others.
            if (!zone.WriteGroup()) continue;
            lock (_lock) _ready.Enqueue(zone);
        }
    }
}
