namespace Dns.Forwarding.Upstreams;

/// <summary>A histogram of round trips. A copy; monotonic.</summary>
/// <param name="Classes">
/// The number of round trips in each bucket: at most the bound of <see cref="UpperSeconds"/> and above the one before;
/// all others at the end.
/// </param>
/// <param name="Seconds">The sum of all.</param>
public sealed record RoundTripCounts(long[] Classes, double Seconds)
{
    private static readonly int[] UpperMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

    /// <summary>The upper bound of each bucket but the last, in seconds.</summary>
    public static double[] UpperSeconds { get; } = [.. UpperMs.Select(milliseconds => milliseconds / 1000.0)];

    /// <summary>The bucket of a round trip in ticks of 100 ns.</summary>
    internal static int ClassOf(long ticks)
    {
        int index = 0;
        while (index < UpperMs.Length && ticks > UpperMs[index] * MonotonicClock.TicksPerMillisecond) index++;
        return index;
    }
}
