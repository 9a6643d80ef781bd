namespace Dns.Dnssec.Signing;

/// <summary>Collects the types at one name for the bitmap of NSEC and NSEC3 (RFC 4034 §4.1.2). Reusable.</summary>
internal sealed class TypeList
{
    private const int WindowOctets = 32;

    private ushort[] _types = new ushort[16];

    internal int Count { get; private set; }

    /// <summary>Maximum octets that <see cref="Write"/> writes.</summary>
    internal int MaxOctets => (Math.Min(Count, 256) + 1) * (2 + WindowOctets);

    internal void Clear() => Count = 0;

    /// <summary>Adds a type, possibly a duplicate.</summary>
    internal void Add(RRType type)
    {
        if (Count == _types.Length) Array.Resize(ref _types, 2 * Count);
        _types[Count++] = (ushort)type;
    }

    internal bool Contains(RRType type) => _types.AsSpan(0, Count).Contains((ushort)type);

    /// <summary>Writes the bitmap and returns its length.</summary>
    internal int Write(Span<byte> bitmap)
    {
        Span<ushort> types = _types.AsSpan(0, Count);
        types.Sort();
        int at = 0;
        for (int i = 0; i < types.Length;)
        {
            int window = types[i] >> 8, octets = 0;
            Span<byte> bits = bitmap.Slice(at + 2, WindowOctets);
            bits.Clear();
            for (; i < types.Length && types[i] >> 8 == window; i++)
            {
                int bit = types[i] & 0xFF;
                bits[bit >> 3] |= (byte)(0x80 >> (bit & 7));
                octets = (bit >> 3) + 1;
            }
            (bitmap[at], bitmap[at + 1]) = ((byte)window, (byte)octets);
            at += 2 + octets;
        }
        return at;
    }
}
