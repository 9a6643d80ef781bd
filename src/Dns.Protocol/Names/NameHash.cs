using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Dns.Protocol;

/// <summary>The 64-bit hash of a lower-case name: of the whole name or of a suffix, each by itself.</summary>
/// <remarks>
/// Sixteen octets take one multiplication, so hashing one name of usual length costs less than a chain over its labels; the
/// price is that a walk over all suffixes of a long name hashes the last labels again and again. The seeds are drawn once per
/// process: whoever writes names into a zone or makes queries cannot choose names that fall together. Hashes are therefore
/// never stored on disk and never compared across processes.
/// </remarks>
public static class NameHash
{
    private const int BlockOctets = 2 * sizeof(ulong);

    /// <summary>What a block's words are mixed with.</summary>
    internal static readonly ulong FirstSeed = DrawSeed(), SecondSeed = DrawSeed();

    /// <summary>Octets of zero that have to follow a name given to <see cref="OfLower"/>.</summary>
    public const int Slack = BlockOctets;

    /// <summary>The hash of the root name.</summary>
    public static ulong Root => Mix(FirstSeed, SecondSeed);

    /// <summary>The hash of a lower-case name.</summary>
    /// <param name="name">
    /// The first octet of a valid name with <see cref="Slack"/> readable octets of zero behind it. They make no two names alike:
    /// a name says itself where it ends.
    /// </param>
    /// <param name="lengthOctets">Length of the name.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong OfPadded(ref readonly byte name, int lengthOctets)
    {
        ref byte octets = ref Unsafe.AsRef(in name);
        ulong hash = SecondSeed, seed = FirstSeed;
        // The last block reads less than a block beyond the name.
        for (nuint at = 0; at < (nuint)lengthOctets; at += BlockOctets)
            hash = Mix(
                Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref octets, at)) ^ seed,
                Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref octets, at + sizeof(ulong))) ^ hash);
        return hash;
    }

    /// <summary>The hash of a lower-case name at the start of a span.</summary>
    /// <param name="padded">A valid name with <see cref="Slack"/> octets of zero behind it, or more.</param>
    /// <param name="lengthOctets">Length of the name.</param>
    public static ulong OfLower(ReadOnlySpan<byte> padded, int lengthOctets) =>
        OfPadded(in MemoryMarshal.GetReference(padded[..(lengthOctets + Slack)]), lengthOctets);

    /// <summary>The hash of a whole valid name in any spelling. For cold paths: copies and lowers the name first.</summary>
    public static ulong Compute(ReadOnlySpan<byte> name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name);
        return lookup.Hash;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong first, ulong second)
    {
        ulong high = Math.BigMul(first, second, out ulong low);
        return high ^ low;
    }

    private static ulong DrawSeed() => MemoryMarshal.Read<ulong>(RandomNumberGenerator.GetBytes(sizeof(ulong)));
}
