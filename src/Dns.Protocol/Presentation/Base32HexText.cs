namespace Dns.Protocol.Presentation;

/// <summary>Octets in base 32 with extended hex alphabet, without padding (RFC 4648 §7, RFC 5155 §3.3).</summary>
internal static class Base32HexText
{
    /// <summary>Reads digits of either case into <paramref name="destination"/>.</summary>
    /// <returns>False on a foreign character, an impossible length, bits left over, or a full destination.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, Span<byte> destination, out int written)
    {
        written = 0;
        uint bits = 0;
        int bitCount = 0;
        foreach (byte octet in text)
        {
            int digit = Digit(octet);
            if (digit < 0) return false;
            bits = bits << 5 | (uint)digit;
            bitCount += 5;
            if (bitCount < 8) continue;
            if (written == destination.Length) return false;
            bitCount -= 8;
            destination[written++] = (byte)(bits >> bitCount);
        }
        return bitCount < 5 && (bits & ((1u << bitCount) - 1)) == 0;
    }

    /// <summary>Writes upper-case digits.</summary>
    public static void Write(ReadOnlySpan<byte> octets, ref PresentationWriter writer)
    {
        uint bits = 0;
        int bitCount = 0;
        foreach (byte octet in octets)
        {
            bits = bits << 8 | octet;
            bitCount += 8;
            while (bitCount >= 5)
            {
                bitCount -= 5;
                writer.Write("0123456789ABCDEFGHIJKLMNOPQRSTUV"u8[(int)(bits >> bitCount & 31)]);
            }
        }
        if (bitCount > 0) writer.Write("0123456789ABCDEFGHIJKLMNOPQRSTUV"u8[(int)(bits << (5 - bitCount) & 31)]);
    }

    private static int Digit(byte octet)
    {
        uint value = (uint)(octet - '0');
        if (value <= 9) return (int)value;
        value = (uint)((octet | 0x20) - 'a');
        return value <= 'v' - 'a' ? (int)value + 10 : -1;
    }
}
