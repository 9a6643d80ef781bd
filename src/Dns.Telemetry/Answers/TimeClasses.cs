using System.Numerics;

namespace Dns.Telemetry.Answers;

/// <summary>
/// The classes that times are counted in: up to 1.024 µs, and from there each twice as wide as the one before, up to
/// 8.6 s and beyond. The class of a time takes a few instructions.
/// </summary>
public static class TimeClasses
{
    /// <summary>How many there are; the last has no upper end.</summary>
    public const int Count = 25;

    private const int FirstBits = 10;

    /// <summary>The class of a time; what is below zero counts as zero.</summary>
    public static int Of(long nanoseconds) => nanoseconds <= 1 << FirstBits
        ? 0 : Math.Min(BitOperations.Log2((ulong)(nanoseconds - 1)) - FirstBits + 1, Count - 1);

    /// <summary>The longest time of a class in seconds; infinity for the last.</summary>
    public static double UpperSeconds(int index) =>
        index == Count - 1 ? double.PositiveInfinity : (1L << FirstBits + index) / 1e9;

    /// <summary>
    /// The time in seconds below which a share (0 to 1) of those counted lies, to the precision of the classes; 0 if
    /// nothing was counted.
    /// </summary>
    public static double QuantileSeconds(ReadOnlySpan<long> counts, double share)
    {
        long total = 0;
        foreach (long count in counts) total += count;
        if (total == 0) return 0;
        double wanted = total * share, below = 0;
        for (int i = 0; i < Count; i++)
        {
            if (counts[i] == 0 || below + counts[i] < wanted)
            {
                below += counts[i];
                continue;
            }
            double lower = i == 0 ? 0 : UpperSeconds(i - 1);
            // Of the open class only its lower end is known.
            double upper = i == Count - 1 ? lower : UpperSeconds(i);
            return lower + (upper - lower) * Math.Clamp((wanted - below) / counts[i], 0, 1);
        }
        return UpperSeconds(Count - 2);
    }
}
