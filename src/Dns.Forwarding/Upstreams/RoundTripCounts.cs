using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>How many round trips were measured, by how long they took. A copy; numbers only grow.</summary>
/// <param name="Classes">
/// How many took no longer than each of <see cref="UpperSeconds"/> but longer than the one before; at the end all others.
/// </param>
/// <param name="Seconds">The sum of all.</param>
public sealed record RoundTripCounts(long[] Classes, double Seconds)
{
    private static readonly int[] UpperMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

    /// <summary>The longest round trip of each class but the last, in seconds.</summary>
    public static double[] UpperSeconds { get; } = [.. UpperMs.Select(milliseconds => milliseconds / 1000.0)];

    /// <summary>The class of a round trip.</summary>
    /// <param name="ticks">How long it took, in ticks of 100 ns.</param>
    internal static int ClassOf(long ticks)
    {
        int index = 0;
        while (index < UpperMs.Length && ticks > UpperMs[index] * MonotonicClock.TicksPerMillisecond) index++;
        return index;
    }
}
