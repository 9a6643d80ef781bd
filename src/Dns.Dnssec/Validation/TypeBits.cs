namespace Dns.Dnssec.Validation;

/// <summary>Type sets of NSEC and NSEC3 (RFC 4034 §4.1.2), uniquely encoded: equal sets are equal octets.</summary>
public static class TypeBits
{
    private const int WindowOctets = 32;
    private const int MaxShown = 12;

    /// <summary>Whether a set contains a type. Malformed octets contain none.</summary>
    public static bool Contains(ReadOnlySpan<byte> bits, RRType type)
    {
        int window = (int)type >> 8, octet = ((int)type & 0xFF) >> 3;
        while (bits.Length > 2 && bits[1] <= bits.Length - 2)
        {
            if (bits[0] == window) return octet < bits[1] && (bits[2 + octet] & 0x80 >> ((int)type & 7)) != 0;
            bits = bits[(2 + bits[1])..];
        }
        return false;
    }

    /// <summary>Writes a set, and returns its length.</summary>
    /// <param name="types">The types in ascending order, without duplicates.</param>
    /// <param name="bits">At least 34 octets for each window.</param>
    public static int Write(ReadOnlySpan<RRType> types, Span<byte> bits)
    {
        int at = 0;
        for (int i = 0; i < types.Length;)
        {
            int window = (int)types[i] >> 8, octets = 0;
            Span<byte> own = bits.Slice(at + 2, WindowOctets);
            own.Clear();
            for (; i < types.Length && (int)types[i] >> 8 == window; i++)
            {
                int low = (int)types[i] & 0xFF;
                own[low >> 3] |= (byte)(0x80 >> (low & 7));
                octets = (low >> 3) + 1;
            }
            (bits[at], bits[at + 1]) = ((byte)window, (byte)octets);
            at += 2 + octets;
        }
        return at;
    }

    /// <summary>The mnemonics of a set, the first twelve.</summary>
    public static string ToText(ReadOnlySpan<byte> bits)
    {
        StringBuilder text = new();
        int shown = 0;
        for (; bits.Length > 2 && bits[1] <= bits.Length - 2; bits = bits[(2 + bits[1])..])
        {
            for (int bit = 0; bit < bits[1] * 8; bit++)
            {
                if ((bits[2 + (bit >> 3)] & 0x80 >> (bit & 7)) == 0 || ++shown > MaxShown) continue;
                text.Append(text.Length == 0 ? "" : " ").Append(RRTypeText.Format((RRType)(bits[0] << 8 | bit)));
            }
        }
        if (shown > MaxShown) text.Append($" and {shown - MaxShown} more");
        return text.Length == 0 ? "none" : text.ToString();
    }
}
