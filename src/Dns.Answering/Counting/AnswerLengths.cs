using System.Numerics;

namespace Dns.Answering.Counting;

/// <summary>Buckets of answer lengths: powers of two, and 1,232 octets, the usual unfragmented maximum.</summary>
public static class AnswerLengths
{
    /// <summary>The number of buckets; the last one holds lengths above 32,768 octets.</summary>
    public const int Count = 12;

    private const int Unfragmented = 1232;
    private const int FirstBits = 5;

    /// <summary>The upper bound of each bucket in octets.</summary>
    public static IReadOnlyList<int> Upper { get; } = [64, 128, 256, 512, 1024, Unfragmented, 2048, 4096, 8192, 16384,
        32768, 65535];

    /// <summary>The bucket of an answer.</summary>
    /// <param name="octets">Its length, 12 to 65,535.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Of(int octets) =>
        Math.Max(BitOperations.Log2((uint)(octets - 1)), FirstBits) - FirstBits + (octets > Unfragmented ? 1 : 0);
}
