namespace Dns.Dnssec.Service;

/// <summary>
/// When each zone is due: one heap and one timer for all zones. Times are of the wall clock, which may be set: the
/// timer fires at least once a minute. Thread-safe.
/// </summary>
internal sealed class SigningSchedule : IDisposable
{
    private const int LeastRebuilt = 64;
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly PriorityQueue<SignedZone, DateTimeOffset> _heap = new();
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private int _count;
    private bool _isDisposed;

    /// <param name="onDue">Called when a zone may be due, never by <see cref="Set"/>.</param>
    internal SigningSchedule(TimeProvider time, Action onDue)
    {
        _time = time;
        _timer = time.CreateTimer(_ => onDue(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The number of times that it holds, including superseded ones.</summary>
    internal int Times
    {
        get
        {
            lock (_gate) return _heap.Count;
        }
    }

    /// <summary>Sets when a zone is due; null = not by time.</summary>
    internal void Set(SignedZone zone, DateTimeOffset? due)
    {
        lock (_gate)
        {
            if (_isDisposed || zone.Due == due) return;
            Note(zone, due);
            if (due is { } at) _heap.Enqueue(zone, at);
            if (_heap.Count > LeastRebuilt + 2 * _count) Rebuild();
            Arm();
        }
    }

    /// <summary>Removes and returns the zones that are due.</summary>
    internal List<SignedZone> Take()
    {
        List<SignedZone> taken = [];
        lock (_gate)
        {
            DateTimeOffset now = _time.GetUtcNow();
            while (_heap.TryPeek(out SignedZone? zone, out DateTimeOffset due) && (due <= now || !IsCurrent(zone, due)))
            {
                _heap.Dequeue();
                if (!IsCurrent(zone, due)) continue;
                Note(zone, null);
                taken.Add(zone);
            }
            Arm();
        }
        return taken;
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _timer.Dispose();
        }
    }

    private static bool IsCurrent(SignedZone zone, DateTimeOffset due) => zone.Due == due;

    private void Note(SignedZone zone, DateTimeOffset? due)
    {
        _count += (due is null ? 0 : 1) - (zone.Due is null ? 0 : 1);
        zone.Due = due;
    }

    private void Rebuild()
    {
        (SignedZone, DateTimeOffset)[] current =
            [.. _heap.UnorderedItems.Where(entry => IsCurrent(entry.Element, entry.Priority)).Distinct()];
        _heap.Clear();
        _heap.EnqueueRange(current);
    }

    private void Arm()
    {
        if (_isDisposed) return;
        TimeSpan wait = Timeout.InfiniteTimeSpan;
        if (_heap.TryPeek(out _, out DateTimeOffset due))
        {
            wait = due - _time.GetUtcNow();
            wait = wait < TimeSpan.Zero ? TimeSpan.Zero : wait > Longest ? Longest : wait;
        }
        _timer.Change(wait, Timeout.InfiniteTimeSpan);
    }
}
