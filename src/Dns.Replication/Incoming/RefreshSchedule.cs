namespace Dns.Replication.Incoming;

/// <summary>
/// Schedules zones: one heap and one timer for any number of zones. A new time leaves the old entry in the heap, which
/// is rebuilt when more than half of it is stale. Thread-safe.
/// </summary>
internal sealed class RefreshSchedule : IDisposable
{
    private const int LeastRebuilt = 64;
    private static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    private readonly Lock _gate = new();
    private readonly PriorityQueue<SecondaryZone, long> _heap = new();
    private readonly MonotonicClock _clock;
    private readonly ITimer _timer;
    private long _armedFor = long.MaxValue;
    private int _count;
    private bool _isDisposed;

    /// <param name="onDue">Called when a zone may be due, never within <see cref="Set"/>.</param>
    public RefreshSchedule(MonotonicClock clock, Action onDue)
    {
        _clock = clock;
        _timer = clock.Provider.CreateTimer(_ => onDue(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The number of heap entries, stale ones included.</summary>
    internal int Entries
    {
        get
        {
            lock (_gate) return _heap.Count;
        }
    }

    /// <summary>Sets the due time of a zone, in ticks of the clock; <see cref="long.MaxValue"/> = never.</summary>
    public void Set(SecondaryZone zone, long due)
    {
        lock (_gate)
        {
            if (_isDisposed || zone.Due == due) return;
            if (zone.Due == long.MaxValue) _count++;
            zone.Due = due;
            if (due == long.MaxValue) _count--;
            else _heap.Enqueue(zone, due);
            if (_heap.Count > LeastRebuilt + 2 * _count) Rebuild();
            Arm();
        }
    }

    /// <summary>Removes a due zone, whose due time is then never; null if none, and the timer is armed.</summary>
    public SecondaryZone? Take()
    {
        lock (_gate)
        {
            _armedFor = long.MaxValue;
            while (_heap.TryPeek(out SecondaryZone? zone, out long due) && (zone.Due != due || due <= _clock.Now))
            {
                _heap.Dequeue();
                if (zone.Due != due) continue;
                zone.Due = long.MaxValue;
                _count--;
                return zone;
            }
            Arm();
            return null;
        }
    }

    public void Dispose()
    {
        lock (_gate) _isDisposed = true;
        _timer.Dispose();
    }

    private void Arm()
    {
        if (_isDisposed || !_heap.TryPeek(out _, out long due) || due >= _armedFor) return;
        _armedFor = due;
        TimeSpan wait = TimeSpan.FromTicks(Math.Max(0, due - _clock.Now));
        // A system timer is limited to 49 days.
        if (wait > Longest) (wait, _armedFor) = (Longest, _clock.Now + Longest.Ticks);
        _timer.Change(wait, Timeout.InfiniteTimeSpan);
    }

    private void Rebuild()
    {
        SecondaryZone[] zones =
            [.. _heap.UnorderedItems.Where(entry => entry.Element.Due == entry.Priority).Select(entry => entry.Element)
                .Distinct()];
        _heap.Clear();
        foreach (SecondaryZone zone in zones) _heap.Enqueue(zone, zone.Due);
    }
}
