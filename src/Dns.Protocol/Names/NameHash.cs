using System.Runtime.Intrinsics.X86;

namespace Dns.Protocol.Names;

/// <summary>The 64-bit hash of a lower-case name; a suffix is hashed like a whole name.</summary>
/// <remarks>
/// One multiplication for sixteen octets makes a name of usual length cheaper than a chain of label hashes; in return,
/// a walk over all suffixes of a long name hashes its last labels repeatedly. Seeded once per process, so that names
/// cannot be chosen to collide. Hashes are therefore never stored on disk or compared across processes.
/// </remarks>
public static class NameHash
{
    private const int BlockOctets = 2 * sizeof(ulong);

    internal static readonly ulong FirstSeed = DrawSeed(), SecondSeed = DrawSeed();

    /// <summary>Octets of zero that must follow a name passed to <see cref="OfLower"/>.</summary>
    public const int Slack = BlockOctets;

    /// <summary>The hash of the root name.</summary>
    public static ulong Root => Mix(FirstSeed, SecondSeed);

    /// <summary>The hash of a lower-case name.</summary>
    /// <param name="name">
    /// The first octet of a valid name, followed by <see cref="Slack"/> readable octets of zero. The padding causes no
    /// collisions, since a name ends with its root label.
    /// </param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong OfPadded(ref readonly byte name, int lengthOctets)
    {
        ref byte octets = ref Unsafe.AsRef(in name);
        ulong hash = SecondSeed, seed = FirstSeed;
        nuint length = (uint)lengthOctets;
        // The last block reads less than one block behind the name.
        for (nuint at = 0; at < length; at += BlockOctets)
            hash = Mix(
                Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref octets, at)) ^ seed,
                Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref octets, at + sizeof(ulong))) ^ hash);
        return hash;
    }

    /// <summary>The hash of a lower-case name at the start of a span.</summary>
    /// <param name="padded">A valid name with <see cref="Slack"/> octets of zero behind it, or more.</param>
    public static ulong OfLower(ReadOnlySpan<byte> padded, int lengthOctets) =>
        OfPadded(in MemoryMarshal.GetReference(padded[..(lengthOctets + Slack)]), lengthOctets);

    /// <summary>The hash of a valid name in any letter case. For cold paths: copies the name first.</summary>
    public static ulong Compute(ReadOnlySpan<byte> name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name);
        return lookup.Hash;
    }

    /// <summary>The hash of any octets, such as RDATA, seeded in the same way.</summary>
    public static ulong OfOctets(ReadOnlySpan<byte> octets)
    {
        // The length, because zeros follow the last octets.
        ulong hash = SecondSeed ^ (uint)octets.Length;
        for (; octets.Length >= BlockOctets; octets = octets[BlockOctets..]) hash = MixBlock(octets, hash);
        Span<byte> last = stackalloc byte[BlockOctets];
        last.Clear();
        octets.CopyTo(last);
        return MixBlock(last, hash);
    }

    private static ulong MixBlock(ReadOnlySpan<byte> block, ulong hash) => Mix(
        MemoryMarshal.Read<ulong>(block) ^ FirstSeed, MemoryMarshal.Read<ulong>(block[sizeof(ulong)..]) ^ hash);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong first, ulong second)
    {
        // BigMul returns the low half through memory, which takes longer than a second multiplication.
        if (Bmi2.X64.IsSupported) return Bmi2.X64.MultiplyNoFlags(first, second) ^ (first * second);
        ulong high = Math.BigMul(first, second, out ulong low);
        return high ^ low;
    }

    private static ulong DrawSeed() => SystemRandom.UInt64();
}
