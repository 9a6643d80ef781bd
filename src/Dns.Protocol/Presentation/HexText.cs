namespace Dns.Protocol;

/// <summary>Octets as hexadecimal digits (RFC 4648 §8).</summary>
internal static class HexText
{
    /// <summary>The value of a digit in either case, or -1.</summary>
    public static int Digit(byte octet)
    {
        uint value = (uint)(octet - '0');
        if (value <= 9) return (int)value;
        value = (uint)((octet | 0x20) - 'a');
        return value <= 5 ? (int)value + 10 : -1;
    }

    /// <summary>Reads pairs of digits; the destination has to be half as long as the text at least.</summary>
    /// <returns>False if the number of digits is odd or something else than a digit is found.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, Span<byte> destination)
    {
        if (text.Length % 2 != 0) return false;
        for (int i = 0; i < text.Length; i += 2)
        {
            int pair = Digit(text[i]) << 4 | Digit(text[i + 1]);
            if (pair < 0) return false;
            destination[i / 2] = (byte)pair;
        }
        return true;
    }

    /// <summary>Writes each octet as two upper-case digits.</summary>
    public static void Write(ReadOnlySpan<byte> octets, ref PresentationWriter writer)
    {
        foreach (byte octet in octets)
        {
            writer.Write("0123456789ABCDEF"u8[octet >> 4]);
            writer.Write("0123456789ABCDEF"u8[octet & 15]);
        }
    }
}
