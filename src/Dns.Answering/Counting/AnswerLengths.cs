using System.Numerics;
using System.Runtime.CompilerServices;

namespace Dns.Answering;

/// <summary>
/// Classes of lengths of answers: powers of two, and 1,232 octets, the usual bound of datagrams that are not fragmented.
/// </summary>
public static class AnswerLengths
{
    /// <summary>How many there are; the last one holds what is above 32,768 octets.</summary>
    public const int Count = 12;

    private const int Unfragmented = 1232;
    private const int FirstBits = 5;

    /// <summary>The longest answer of each class in octets.</summary>
    public static IReadOnlyList<int> Upper { get; } = [64, 128, 256, 512, 1024, Unfragmented, 2048, 4096, 8192, 16384, 32768, 65535];

    /// <summary>The class of an answer.</summary>
    /// <param name="octets">Its length, 12 to 65,535.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Of(int octets) =>
        Math.Max(BitOperations.Log2((uint)(octets - 1)), FirstBits) - FirstBits + (octets > Unfragmented ? 1 : 0);
}
