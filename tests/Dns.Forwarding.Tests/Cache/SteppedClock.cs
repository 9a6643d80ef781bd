namespace Dns.Forwarding.Tests;

/// <summary>A clock that stands still until it is moved.</summary>
internal sealed class SteppedClock : TimeProvider
{
    private long _ticks = 1_000_000_000;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => _ticks;

    public override DateTimeOffset GetUtcNow() => new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public void Move(double seconds) => _ticks += (long)(seconds * TimeSpan.TicksPerSecond);
}
