namespace Dns.Transport.Outgoing.Timing;

/// <summary>Monotonic time since its creation, in ticks of 100 ns; independent of the wall clock.</summary>
public sealed class MonotonicClock(TimeProvider provider)
{
    /// <summary>Ticks per millisecond.</summary>
    public const long TicksPerMillisecond = TimeSpan.TicksPerMillisecond;

    private readonly long _origin = provider.GetTimestamp();

    /// <summary>The underlying clock.</summary>
    public TimeProvider Provider => provider;

    /// <summary>Ticks since the start.</summary>
    public long Now => provider.GetElapsedTime(_origin).Ticks;
}
