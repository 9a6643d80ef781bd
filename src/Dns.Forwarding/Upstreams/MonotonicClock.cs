namespace Dns.Forwarding;

/// <summary>
/// Time since forwarding began, in ticks of 100 ns. Made of timestamps, so that a wall clock that is set changes nothing.
/// </summary>
internal sealed class MonotonicClock(TimeProvider provider)
{
    internal const long TicksPerMillisecond = TimeSpan.TicksPerMillisecond;

    private readonly long _origin = provider.GetTimestamp();

    /// <summary>The clock behind it.</summary>
    internal TimeProvider Provider => provider;

    /// <summary>Ticks since the start.</summary>
    internal long Now => provider.GetElapsedTime(_origin).Ticks;
}
