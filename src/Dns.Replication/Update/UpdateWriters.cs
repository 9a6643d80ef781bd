namespace Dns.Replication.Update;

/// <summary>
/// Dedicated threads for disk writes; the thread pool is left to queries. One thread at a time works on a zone; a
/// thread ends after an idle second.
/// </summary>
/// <param name="most">The maximum number of threads.</param>
internal sealed class UpdateWriters(int most)
{
    private const int IdleMs = 1000;

    private readonly object _gate = new();
    private readonly Queue<DynamicZone> _ready = [];
    private int _threads, _idle;

    /// <summary>Queues a zone that is not queued yet.</summary>
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
            // Round-robin: a zone with many updates does not delay others.
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
