namespace Dns.Zones.Denial;

/// <summary>
/// The NSEC record of compact denial (RFC 9824 §3): its owner is the queried name, the next name its immediate
/// successor, and its types are those of the name, or NXNAME if the name does not exist.
/// </summary>
public static class CompactNsec
{
    private const int Windows = 256, WindowOctets = 32, WordBits = 64;

    /// <summary>Maximum octets of the record as an RRset.</summary>
    public const int MaxOctets =
        ZoneMemory.MinRRsetOctets + WireName.MaxOctets + Windows * (2 + WindowOctets);

    /// <summary>Makes the record of a name that does not exist (RFC 9824 §3.1).</summary>
    /// <param name="room">Receives it; <see cref="MaxOctets"/>.</param>
    /// <param name="ttl">Its TTL in seconds, at most 2^31-1.</param>
    /// <param name="name">The name, in lower case.</param>
    /// <returns>The length, for <see cref="Read"/>.</returns>
    public static int WriteNameError(Span<byte> room, uint ttl, scoped ReadOnlySpan<byte> name,
        scoped ReadOnlySpan<byte> apex) =>
        Write(room, ttl, name, apex, default, exists: false);

    /// <summary>
    /// Makes the record of a name that exists, or that a wildcard is expanded to (RFC 9824 §3.2): a cut has NS and DS
    /// alone, an empty non-terminal no type but RRSIG and NSEC.
    /// </summary>
    /// <param name="room">Receives it; <see cref="MaxOctets"/>.</param>
    /// <param name="ttl">Its TTL in seconds, at most 2^31-1.</param>
    /// <param name="name">The name, in lower case.</param>
    /// <param name="node">The node that answers for the name.</param>
    /// <returns>The length, for <see cref="Read"/>.</returns>
    public static int WriteNoData(
        Span<byte> room, uint ttl, scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> apex,
        scoped ZoneNode node) =>
        Write(room, ttl, name, apex, node, exists: true);

    /// <summary>The record that was made.</summary>
    public static RRset Read(ReadOnlySpan<byte> written) => new(written);

    private static int Write(
        Span<byte> room, uint ttl, scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> apex, scoped ZoneNode node,
        bool exists)
    {
        Span<byte> rdata = room[ZoneMemory.MinRRsetOctets..];
        int octets = WriteNext(rdata, name, apex);
        octets += WriteTypes(rdata[octets..], node, exists);
        ZoneMemory.WriteSingleHeader(room, RRType.NSEC, ttl);
        MemoryMarshal.Write(room[ZoneMemory.SingleRecordAt..], (ushort)octets);
        return ZoneMemory.MinRRsetOctets + octets;
    }

    /// <summary>
    /// Writes the immediate successor of a name in canonical order: a label of one zero octet before it. If too long,
    /// no name is below it, and the successor differs in a label; after the last name of the zone comes the first.
    /// </summary>
    internal static int WriteNext(Span<byte> next, scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> apex)
    {
        if (name.Length + 2 <= WireName.MaxOctets)
        {
            (next[0], next[1]) = (1, 0);
            name.CopyTo(next[2..]);
            return name.Length + 2;
        }
        if (name[0] < WireName.MaxLabelOctets && name.Length < WireName.MaxOctets)
        {
            int label = name[0] + 1;
            name[..label].CopyTo(next);
            next[0]++;
            next[label] = 0;
            name[label..].CopyTo(next[(label + 1)..]);
            return name.Length + 1;
        }
        for (; name.Length > apex.Length; name = name[(name[0] + 1)..])
        {
            int last = name[0];
            while (last > 0 && name[last] == byte.MaxValue) last--;
            if (last == 0) continue;
            name[..(last + 1)].CopyTo(next);
            next[0] = (byte)last;
            // Names are compared in lower case: '@' is followed by '['.
            next[last] = next[last] == (byte)'@' ? (byte)'[' : (byte)(next[last] + 1);
            ReadOnlySpan<byte> rest = name[(name[0] + 1)..];
            rest.CopyTo(next[(last + 1)..]);
            return last + 1 + rest.Length;
        }
        apex.CopyTo(next);
        return apex.Length;
    }

    private static int WriteTypes(Span<byte> bitmap, scoped ZoneNode node, bool exists)
    {
        Span<ulong> used = stackalloc ulong[Windows / WordBits];
        used.Clear();
        used[0] = 1;
        if (exists)
            foreach (RRset rrset in node)
                if (IsListed(node, rrset.Type)) used[(int)rrset.Type >> 14] |= 1UL << ((int)rrset.Type >> 8);
        int at = 0;
        for (int window = 0; window < Windows; window++)
        {
            if ((used[window / WordBits] >> window & 1) == 0) continue;
            Span<byte> bits = bitmap.Slice(at + 2, WindowOctets);
            bits.Clear();
            if (exists)
                foreach (RRset rrset in node)
                    if ((int)rrset.Type >> 8 == window && IsListed(node, rrset.Type)) Set(bits, rrset.Type);
            if (window == 0)
            {
                Set(bits, RRType.RRSIG);
                Set(bits, RRType.NSEC);
                if (!exists) Set(bits, RRType.NXNAME);
            }
            int octets = bits.LastIndexOfAnyExcept((byte)0) + 1;
            (bitmap[at], bitmap[at + 1]) = ((byte)window, (byte)octets);
            at += 2 + octets;
        }
        return at;
    }

    private static bool IsListed(scoped ZoneNode node, RRType type) => !node.IsCut || type is RRType.NS or RRType.DS;

    private static void Set(Span<byte> bits, RRType type) =>
        bits[((int)type & 0xFF) >> 3] |= (byte)(0x80 >> ((int)type & 7));
}
