namespace Dns.Protocol.Presentation;

/// <summary>IPv4 addresses as four decimal numbers with dots (RFC 1035 §3.4.1).</summary>
internal static class Ipv4Text
{
    /// <summary>The longest text, in octets.</summary>
    public const int MaxChars = 15;

    /// <summary>Reads four numbers up to 255. Leading zeros are refused: some parsers read them as octal.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out uint address)
    {
        address = 0;
        int i = 0;
        for (int part = 0; part < 4; part++)
        {
            if (part > 0 && (i >= text.Length || text[i++] != (byte)'.')) return false;
            int start = i;
            uint value = 0;
            for (; i < text.Length && (uint)(text[i] - '0') <= 9; i++)
            {
                value = value * 10 + (uint)(text[i] - '0');
                if (value > 255) return false;
            }
            if (i == start || (i - start > 1 && text[start] == (byte)'0')) return false;
            address = address << 8 | value;
        }
        return i == text.Length;
    }

    /// <summary>Writes the text into at least <see cref="MaxChars"/> octets and returns its length.</summary>
    public static int Format(ReadOnlySpan<byte> address, Span<byte> destination)
    {
        int written = 0;
        for (int i = 0; i < 4; i++)
        {
            if (i > 0) destination[written++] = (byte)'.';
            address[i].TryFormat(destination[written..], out int digits);
            written += digits;
        }
        return written;
    }
}
