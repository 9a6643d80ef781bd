using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Dns.Protocol;

/// <summary>
/// The 64-bit hash of a lower-case name, built label by label from the root, so that one pass over a name
/// yields the hash of each of its suffixes.
/// </summary>
/// <remarks>
/// The seed is drawn once per process: whoever writes names into a zone or makes queries cannot choose
/// names that fall together. Hashes are therefore never stored on disk and never compared across processes.
/// </remarks>
public static class NameHash
{
    private const ulong Multiplier = 0x9E3779B97F4A7C15;

    private static readonly ulong Seed = MemoryMarshal.Read<ulong>(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    /// <summary>Octets that have to be readable behind the last label given to <see cref="Append"/>.</summary>
    public const int Slack = sizeof(ulong);

    /// <summary>The hash of the root name.</summary>
    public static ulong Root => Seed;

    /// <summary>
    /// The hash of the name that has <paramref name="label"/> in front of the name hashed to <paramref name="parent"/>.
    /// </summary>
    /// <param name="parent">The hash of what follows the label.</param>
    /// <param name="label">
    /// The label's length octet, lower-case octets after it, and <see cref="Slack"/> readable octets after those.
    /// </param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Append(ulong parent, ref readonly byte label)
    {
        int left = label + 1;
        ref byte cursor = ref Unsafe.AsRef(in label);
        ulong hash = parent;
        while (left > sizeof(ulong))
        {
            hash = Mix(hash ^ Unsafe.ReadUnaligned<ulong>(ref cursor));
            cursor = ref Unsafe.Add(ref cursor, sizeof(ulong));
            left -= sizeof(ulong);
        }
        // 1 to 8 octets are left; the shift drops what lies behind them.
        ulong word = Unsafe.ReadUnaligned<ulong>(ref cursor);
        if (!BitConverter.IsLittleEndian) word = System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(word);
        return Mix(hash ^ (word << (64 - left * 8)));
    }

    /// <summary>The hash of a whole valid name in any spelling. For cold paths: copies and lowers the name first.</summary>
    public static ulong Compute(ReadOnlySpan<byte> name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name);
        return lookup.Hash;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong value)
    {
        ulong high = Math.BigMul(value, Multiplier, out ulong low);
        return high ^ low;
    }
}
