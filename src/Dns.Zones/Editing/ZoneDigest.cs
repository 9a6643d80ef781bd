namespace Dns.Zones.Editing;

/// <summary>
/// A digest of a version of a zone: equal for versions with the same records in any order and letter case of owners,
/// and different for others except for one chance in 2^128. Not collision-resistant against attackers: it compares an
/// operator's file with itself.
/// </summary>
public static class ZoneDigest
{
    private const ulong First = 0x9E3779B97F4A7C15, Second = 0xC2B2AE3D27D4EB4F;

    /// <summary>The digest of a version: the sum over its records, about 50 ns each.</summary>
    public static UInt128 Of(Zone zone)
    {
        UInt128 sum = 0;
        ZoneCursor cursor = default;
        while (zone.TryNext(ref cursor, out ZoneNode node))
        {
            ulong low = Mix(First, node.Name), high = Mix(Second, node.Name);
            foreach (RRset rrset in node)
            {
                ulong key = (ulong)rrset.Type << 32 | rrset.Ttl;
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    sum += new UInt128(Mix(Mix(high, key), rdata), Mix(Mix(low, key), rdata));
            }
        }
        return sum;
    }

    private static ulong Mix(ulong hash, ReadOnlySpan<byte> octets)
    {
        hash = Mix(hash, (ulong)octets.Length);
        for (; octets.Length >= sizeof(ulong); octets = octets[sizeof(ulong)..])
            hash = Mix(hash, BinaryPrimitives.ReadUInt64LittleEndian(octets));
        ulong last = 0;
        for (int i = 0; i < octets.Length; i++) last |= (ulong)octets[i] << (8 * i);
        return Mix(hash, last);
    }

    // The finisher of MurmurHash3 over the sum: each bit of the word reaches all of the hash.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong hash, ulong word)
    {
        ulong mixed = unchecked(hash * First + word);
        mixed = (mixed ^ mixed >> 33) * 0xFF51AFD7ED558CCD;
        mixed = (mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53;
        return mixed ^ mixed >> 33;
    }
}
