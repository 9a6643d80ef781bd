namespace Dns.Replication;

/// <summary>
/// Threads of their own for what writes to disk: the thread pool is left to those who answer queries. A zone is worked on by one thread
/// at a time; a thread that has had nothing to do for a second ends.
/// </summary>
/// <param name="most">How many threads at once.</param>
internal sealed class UpdateWriters(int most)
{
    private const int IdleMs = 1000;

    private readonly object _gate = new();
    private readonly Queue<DynamicZone> _ready = [];
    private int _threads, _idle;

    /// <summary>Has a zone's updates written. Not for one that is here already.</summary>
    internal void Add(DynamicZone zone)
    {
        lock (_gate)
        {
            _ready.Enqueue(zone);
            if (_idle >= _ready.Count)
            {
                Monitor.Pulse(_gate);
                return;
            }
            if (_threads >= most) return;
            _threads++;
        }
        new Thread(Run) { IsBackground = true, Name = "zone writer" }.Start();
    }

    private void Run()
    {
        while (TryTake(out DynamicZone? zone))
        {
            // In turns: a zone with many updates does not hold up the others.
            if (zone.WriteGroup())
                lock (_gate) _ready.Enqueue(zone);
        }
    }

    private bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out DynamicZone? zone)
    {
        lock (_gate)
        {
            if (_ready.TryDequeue(out zone)) return true;
            _idle++;
            Monitor.Wait(_gate, IdleMs);
            _idle--;
            if (_ready.TryDequeue(out zone)) return true;
            _threads--;
            return false;
        }
    }
}
