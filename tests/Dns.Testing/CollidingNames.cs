using System.Buffers.Binary;

namespace Dns.Testing;

/// <summary>
/// Different names with one hash, made from the seeds of this process, which are secret outside of it.
/// </summary>
/// <remarks>
/// A block whose second word equals the hash of what comes before it is a product with 0, whatever its first word is.
/// Only a word with an upper-case letter cannot be had.
/// </remarks>
public static class CollidingNames
{
    private const int LabelOctets = 31;

    /// <summary>So many names of one label, all with the same hash.</summary>
    public static byte[][] Make(int count)
    {
        Random random = new(1);
        byte[] name = new byte[1 + LabelOctets + 1];
        do
        {
            name[0] = LabelOctets;
            random.NextBytes(name.AsSpan(1, 15));
            WireName.ToLower(name.AsSpan(1, 15), name.AsSpan(1, 15));
            ulong before = Mix(
                BinaryPrimitives.ReadUInt64LittleEndian(name) ^ NameHash.FirstSeed,
                BinaryPrimitives.ReadUInt64LittleEndian(name.AsSpan(8)) ^ NameHash.SecondSeed);
            BinaryPrimitives.WriteUInt64LittleEndian(name.AsSpan(24), before);
        }
        while (name.AsSpan(24, 8).ContainsAnyInRange((byte)'A', (byte)'Z'));
        List<byte[]> names = [];
        for (; names.Count < count; names.Add([.. name]))
        {
            random.NextBytes(name.AsSpan(16, 8));
            WireName.ToLower(name.AsSpan(16, 8), name.AsSpan(16, 8));
        }
        return [.. names];
    }

    private static ulong Mix(ulong first, ulong second)
    {
        ulong high = Math.BigMul(first, second, out ulong low);
        return high ^ low;
    }
}
