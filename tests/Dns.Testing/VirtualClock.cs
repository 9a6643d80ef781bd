namespace Dns.Testing;

/// <summary>
/// A clock that stands still until it is told to go on, and what is planned on it: timers and single events, each at
/// its time, in the order they were planned. One thread, no waiting, the same every time.
/// </summary>
/// <param name="start">The wall-clock time at the beginning; a day in 2020 if nothing is said.</param>
public sealed class VirtualClock(DateTimeOffset? start = null) : TimeProvider
{
    private readonly DateTimeOffset _start = start ?? DateTimeOffset.UnixEpoch.AddYears(50);
    private readonly PriorityQueue<Action, (long Due, long Order)> _events = new();
    private long _now;
    private long _order;
    private TimeSpan _set;

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Time since the beginning.</summary>
    public TimeSpan Elapsed => TimeSpan.FromTicks(_now);

    /// <summary>Events to come, those of timers that were stopped included.</summary>
    public int Planned => _events.Count;

    /// <inheritdoc/>
    public override long GetTimestamp() => _now;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => _start.AddTicks(_now) + _set;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        VirtualTimer timer = new(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Plans an event.</summary>
    public void Plan(TimeSpan delay, Action action) =>
        _events.Enqueue(action, (_now + Math.Max(0, delay.Ticks), _order++));

    /// <summary>Moves the time on; everything planned up to then happens, at its own time.</summary>
    public void Advance(TimeSpan time)
    {
        long end = _now + time.Ticks;
        while (_events.TryPeek(out Action? action, out (long Due, long Order) at) && at.Due <= end)
        {
            _events.Dequeue();
            _now = Math.Max(_now, at.Due);
            action();
        }
        _now = end;
    }

    /// <summary>Sets the wall clock by some time; timers and the time that goes by are not of it.</summary>
    public void Set(TimeSpan by) => _set += by;

    /// <summary>Moves the time on by milliseconds.</summary>
    public void Advance(double milliseconds) => Advance(TimeSpan.FromMilliseconds(milliseconds));

    private sealed class VirtualTimer(VirtualClock clock, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;
        private int _version;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            _version++;
            _period = period;
            if (dueTime != Timeout.InfiniteTimeSpan) Plan(dueTime, _version);
            return true;
        }

        public void Dispose() => _version++;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        private void Plan(TimeSpan delay, int version) => clock.Plan(delay, () => Fire(version));

        private void Fire(int version)
        {
            if (version != _version) return;
            if (_period != Timeout.InfiniteTimeSpan && _period > TimeSpan.Zero) Plan(_period, version);
            callback(state);
        }
    }
}
