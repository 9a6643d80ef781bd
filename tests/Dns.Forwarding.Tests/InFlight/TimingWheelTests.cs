using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

public class TimingWheelTests
{
    private readonly VirtualClock _clock = new();
    private readonly MonotonicClock _time;
    private readonly TimingWheel _wheel;

    public TimingWheelTests()
    {
        _time = new(_clock);
        _wheel = new(_time);
    }

    [Fact]
    public void Nothing_fires_early_nor_more_than_a_turn_late()
    {
        Random random = new(3);
        Probe[] probes = [.. Enumerable.Range(0, 5000).Select(_ => new Probe(_time))];
        foreach (Probe probe in probes)
        {
            _clock.Advance(random.NextDouble() * 3);
            probe.Due = _time.Now + random.NextInt64(0, 30 * TimeSpan.TicksPerSecond);
            _wheel.Arm(probe, probe.Due);
        }
        _clock.Advance(TimeSpan.FromSeconds(31));
        Assert.All(probes, probe => Assert.Equal(1, probe.Fired));
        Assert.All(probes, probe => Assert.InRange(probe.FiredAt - probe.Due, 0, TimingWheel.MostLate));
        Assert.Equal(0, _wheel.Count);
    }

    [Fact]
    public void What_is_disarmed_does_not_fire_and_what_is_armed_again_fires_once()
    {
        Probe gone = new(_time), moved = new(_time);
        _wheel.Arm(gone, 50 * MonotonicClock.TicksPerMillisecond);
        _wheel.Arm(moved, 50 * MonotonicClock.TicksPerMillisecond);
        _wheel.Arm(moved, 500 * MonotonicClock.TicksPerMillisecond);
        _wheel.Disarm(gone);
        _wheel.Disarm(gone);
        _clock.Advance(400);
        Assert.Equal((0, 0), (gone.Fired, moved.Fired));
        _clock.Advance(400);
        Assert.Equal((0, 1), (gone.Fired, moved.Fired));
    }

    [Fact]
    public void A_clock_that_jumps_far_ahead_fires_everything_once()
    {
        Probe[] probes = [.. Enumerable.Range(0, 2000).Select(_ => new Probe(_time))];
        for (int i = 0; i < probes.Length; i++) _wheel.Arm(probes[i], i * 10 * MonotonicClock.TicksPerMillisecond);
        TimerClock jump = new();
        MonotonicClock time = new(jump);
        using TimingWheel wheel = new(time);
        Probe late = new(time);
        wheel.Arm(late, TimeSpan.TicksPerSecond);
        jump.Now = TimeSpan.TicksPerDay;
        wheel.Advance();
        Assert.Equal(1, late.Fired);
        _clock.Advance(TimeSpan.FromDays(1));
        Assert.All(probes, probe => Assert.Equal(1, probe.Fired));
    }

    [Theory]
    [InlineData(1023)]
    [InlineData(1024)]
    [InlineData(1025)]
    [InlineData(2048)]
    public void After_a_pause_about_as_long_as_the_ring_every_slot_is_looked_at(int slots)
    {
        // No timer of this clock fires: the pause is one.
        TimerClock jump = new();
        MonotonicClock time = new(jump);
        using TimingWheel wheel = new(time);
        Probe[] probes = [.. Enumerable.Range(1, Math.Min(slots, 1024)).Select(_ => new Probe(time))];
        for (int i = 0; i < probes.Length; i++) wheel.Arm(probes[i], (i + 1) * TimingWheel.TicksPerSlot);
        jump.Now = slots * TimingWheel.TicksPerSlot;
        wheel.Advance();
        Assert.All(probes, probe => Assert.Equal(1, probe.Fired));
        Assert.Equal(0, wheel.Count);
    }

    [Fact]
    public void The_timer_of_the_system_runs_while_something_is_armed()
    {
        TimerClock clock = new();
        MonotonicClock time = new(clock);
        using TimingWheel wheel = new(time);
        Assert.Equal(Timeout.InfiniteTimeSpan, clock.Period);
        wheel.Arm(new Probe(time), 50 * MonotonicClock.TicksPerMillisecond);
        Assert.Equal(TimeSpan.FromMilliseconds(10), clock.Period);
        clock.Now = 100 * MonotonicClock.TicksPerMillisecond;
        wheel.Advance();
        Assert.Equal(Timeout.InfiniteTimeSpan, clock.Period);
    }

    /// <summary>A clock whose only timer shows its period.</summary>
    private sealed class TimerClock : TimeProvider, ITimer
    {
        public long Now { get; set; }

        public TimeSpan Period { get; private set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Period = period;
            return this;
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Period = period;
            return true;
        }

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }

    [Fact]
    public void A_node_that_throws_is_reported_and_fired_again_and_costs_no_other_its_turn()
    {
        ReportedExceptions reported = new();
        TimingWheel wheel = new(_time, reported);
        Probe before = new(_time), broken = new(_time) { Throws = 2 }, after = new(_time);
        foreach (Probe probe in (Probe[])[before, broken, after])
            wheel.Arm(probe, 50 * MonotonicClock.TicksPerMillisecond);
        _clock.Advance(100);
        Assert.Equal((1, 1, 1), (before.Fired, broken.Fired, after.Fired));
        Assert.Equal(OutgoingLoops.UpstreamTimer, Assert.Single(reported.All).Loop);
        wheel.Arm(after, 2000 * MonotonicClock.TicksPerMillisecond);
        _clock.Advance(10_000);
        Assert.Equal((1, 3, 2), (before.Fired, broken.Fired, after.Fired));
        Assert.Equal(2, reported.All.Count);
        Assert.Equal(0, wheel.Count);
    }

    private sealed class Probe(MonotonicClock clock) : WheelNode
    {
        public long Due { get; set; }

        public int Fired { get; private set; }

        public long FiredAt { get; private set; }

        /// <summary>How many of its turns throw.</summary>
        public int Throws { get; init; }

        public override void Fire(int generation)
        {
            Fired++;
            FiredAt = clock.Now;
            if (Fired <= Throws) throw new InvalidOperationException("Thrown by a test.");
        }
    }
}
