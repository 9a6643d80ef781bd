namespace Dns.Transport.Tests;

/// <summary>A clock that advances only on demand; its timers fire inside <see cref="Advance"/>.</summary>
internal sealed class ManualClock : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private long _ticks = 1;
    private int _timerChanges;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>How often a timer was given another time.</summary>
    public int TimerChanges => Volatile.Read(ref _timerChanges);

    /// <summary>Called whenever the clock is read.</summary>
    public Action? Looking { get; set; }

    public override long GetTimestamp()
    {
        Looking?.Invoke();
        return Volatile.Read(ref _ticks);
    }

    public override ITimer CreateTimer(
        TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ManualTimer timer = new(this, callback, state);
        lock (_gate)
        {
            _timers.Add(timer);
        }

        return timer;
    }

    /// <summary>Moves the time on and fires every timer once.</summary>
    public void Advance(TimeSpan time)
    {
        Interlocked.Add(ref _ticks, time.Ticks);
        ManualTimer[] timers;
        lock (_gate)
        {
            timers = [.. _timers];
        }

        Array.ForEach(timers, timer => timer.Fire());
    }

    private sealed class ManualTimer(ManualClock clock, TimerCallback callback, object? state) : ITimer
    {
        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Interlocked.Increment(ref clock._timerChanges);
            return true;
        }

        public void Dispose()
        {
            lock (clock._gate)
            {
                clock._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
