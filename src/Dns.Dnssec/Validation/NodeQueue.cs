using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>Hands the nodes of a zone to threads, some at a time.</summary>
internal sealed class NodeQueue(Zone zone)
{
    private const int Batch = 64;

    private readonly Lock _lock = new();
    private ZoneCursor _next;
    private bool _isDone;

    /// <summary>Takes the next nodes.</summary>
    /// <param name="start">A cursor in front of the first.</param>
    /// <param name="count">How many they are.</param>
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
