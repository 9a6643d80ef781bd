namespace Dns.Forwarding.Upstreams;

/// <summary>Smoothed round trip and retry timeout (as RFC 6298) in 100 ns ticks. Racing updates may be lost.</summary>
internal sealed class RoundTrip
{
    /// <summary>The minimum timeout: 200 ms.</summary>
    internal const long LeastWait = 200 * MonotonicClock.TicksPerMillisecond;

    /// <summary>The maximum timeout: 2 s.</summary>
    internal const long MostWait = 2000 * MonotonicClock.TicksPerMillisecond;

    private const long Unknown = 0;
    private const long FirstWait = 400 * MonotonicClock.TicksPerMillisecond;

    private long _smoothed = Unknown;
    private long _variation;
    private long _penalty;
    private readonly long[] _classes = new long[RoundTripCounts.UpperSeconds.Length + 1];
    private long _sum;

    /// <summary>The smoothed round trip; 0 if nothing was measured.</summary>
    internal long Smoothed => Volatile.Read(ref _smoothed);

    /// <summary>The rank: the smoothed round trip plus a penalty for timeouts since the last reply.</summary>
    internal long Cost => Smoothed + Volatile.Read(ref _penalty);

    /// <summary>The timeout before the next try.</summary>
    internal long Wait =>
        Smoothed == Unknown ? FirstWait : Math.Clamp(Smoothed + 4 * Volatile.Read(ref _variation), LeastWait, MostWait);

    /// <summary>The histogram of all measurements.</summary>
    internal RoundTripCounts Counts => new(
        [.. _classes.Select((_, i) => Interlocked.Read(ref _classes[i]))],
        Interlocked.Read(ref _sum) / (double)TimeSpan.TicksPerSecond);

    internal void Add(long ticks)
    {
        ticks = Math.Clamp(ticks, 1, 10 * MostWait);
        Volatile.Write(ref _penalty, 0);
        Interlocked.Increment(ref _classes[RoundTripCounts.ClassOf(ticks)]);
        Interlocked.Add(ref _sum, ticks);
        long smoothed = Smoothed, variation = Volatile.Read(ref _variation);
        if (smoothed == Unknown)
        {
            Volatile.Write(ref _variation, ticks / 2);
            Volatile.Write(ref _smoothed, ticks);
            return;
        }
        Volatile.Write(ref _variation, variation + (Math.Abs(ticks - smoothed) - variation) / 4);
        Volatile.Write(ref _smoothed, Math.Max(1, smoothed + (ticks - smoothed) / 8));
    }

    /// <summary>Adds a penalty for a timeout, so that others are preferred.</summary>
    internal void Penalise() =>
        Volatile.Write(ref _penalty, Math.Min(MostWait, Math.Max(Wait, 2 * Volatile.Read(ref _penalty))));
}
