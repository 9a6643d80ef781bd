using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Testing;

/// <summary>Different names with one hash, made from the seed of this process: what nobody outside of it can do.</summary>
/// <remarks>
/// A label of fifteen octets is hashed as two words. Whatever the first one is, there is a second one that leads to a
/// given hash, unless it would need an upper-case letter.
/// </remarks>
public static class CollidingNames
{
    private const int LabelOctets = 15;

    /// <summary>So many names of one label, all with the same hash.</summary>
    public static byte[][] Make(int count)
    {
        List<byte[]> names = [];
        Random random = new(1);
        ulong hash = 0;
        while (names.Count < count)
        {
            byte[] name = new byte[1 + LabelOctets + 1 + NameHash.Slack];
            name[0] = LabelOctets;
            random.NextBytes(name.AsSpan(1, LabelOctets - 8));
            WireName.ToLower(name.AsSpan(1, 7), name.AsSpan(1, 7));
            ulong first = Mix(NameHash.Root ^ BinaryPrimitives.ReadUInt64LittleEndian(name));
            if (names.Count == 0) hash = first ^ 0x3132333435363738;
            BinaryPrimitives.WriteUInt64LittleEndian(name.AsSpan(8), first ^ hash);
            if (name.AsSpan(8, 8).ContainsAnyInRange((byte)'A', (byte)'Z')) continue;
            names.Add(name[..(LabelOctets + 2)]);
        }
        return [.. names];
    }

    private static ulong Mix(ulong value)
    {
        ulong high = Math.BigMul(value, 0x9E3779B97F4A7C15, out ulong low);
        return high ^ low;
    }
}
