namespace Dns.Transport.Outgoing;

/// <summary>
/// Time since forwarding began, in ticks of 100 ns. Made of timestamps, so that a wall clock that is set changes nothing.
/// </summary>
public sealed class MonotonicClock(TimeProvider provider)
{
    /// <summary>Ticks of a millisecond.</summary>
    public const long TicksPerMillisecond = TimeSpan.TicksPerMillisecond;

    private readonly long _origin = provider.GetTimestamp();

    /// <summary>The clock behind it.</summary>
    public TimeProvider Provider => provider;

    /// <summary>Ticks since the start.</summary>
    public long Now => provider.GetElapsedTime(_origin).Ticks;
}
