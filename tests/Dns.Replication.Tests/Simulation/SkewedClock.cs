using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>The clock of one server: it goes as fast as all others, and its wall clock may be set.</summary>
internal sealed class SkewedClock(VirtualClock clock) : TimeProvider
{
    /// <summary>By how much the wall clock is ahead.</summary>
    public TimeSpan Ahead { get; set; }

    public override long TimestampFrequency => clock.TimestampFrequency;

    public override long GetTimestamp() => clock.GetTimestamp();

    public override DateTimeOffset GetUtcNow() => clock.GetUtcNow() + Ahead;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        clock.CreateTimer(callback, state, dueTime, period);
}
