namespace Dns.Dnssec.Validation;

/// <summary>Distributes the nodes of a zone to threads in batches.</summary>
internal sealed class NodeQueue(Zone zone)
{
    private const int Batch = 64;

    private readonly Lock _lock = new();
    private ZoneCursor _next;
    private bool _isDone;

    /// <summary>Takes the next nodes.</summary>
    /// <param name="start">A cursor before the first.</param>
    internal bool TryTake(out ZoneCursor start, out int count)
    {
        lock (_lock)
        {
            start = _next;
            count = 0;
            while (count < Batch && !_isDone)
            {
                if (zone.TryNext(ref _next, out _)) count++;
                else _isDone = true;
            }
            return count > 0;
        }
    }
}
