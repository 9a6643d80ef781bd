namespace Dns.Forwarding.Cache;

/// <summary>The time of a cache: eighths of a second in 32 bits, which last 17 years. Monotonic.</summary>
internal sealed class CacheClock(TimeProvider clock)
{
    /// <summary>Units per second.</summary>
    public const uint UnitsPerSecond = 8;

    // The middle, so that loaded entries can be older than the process.
    private const uint Start = 1u << 31;

    private readonly long _origin = clock.GetTimestamp();
    private readonly double _unitsPerTick = UnitsPerSecond / (double)clock.TimestampFrequency;

    /// <summary>The maximum time span in seconds: four years.</summary>
    public const uint MaxSeconds = 1 << 27;

    /// <summary>The age in units; 0 for what was stored after the time was read.</summary>
    public static uint Age(uint now, uint storedAt) => (int)(now - storedAt) < 0 ? 0 : now - storedAt;

    public uint Now => At(clock.GetTimestamp());

    public uint At(long timestamp) => Start + (uint)(long)((timestamp - _origin) * _unitsPerTick);
}
