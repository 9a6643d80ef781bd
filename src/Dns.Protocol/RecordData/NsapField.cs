namespace Dns.Protocol.RecordData;

/// <summary>An NSAP address: 0x and hexadecimal digits, dots between them ignored (RFC 1706 §5 and §7).</summary>
internal static class NsapField
{
    public static int Measure(ReadOnlySpan<byte> rest) => rest.IsEmpty ? -1 : rest.Length;

    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        const string expected = "an NSAP address: 0x and pairs of hexadecimal digits";
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !(text.StartsWith("0x"u8) || text.StartsWith("0X"u8)) || !TryParseDotted(text[2..], ref rdata))
            return rdata.Fail(expected);
        tokens.Position++;
        return true;
    }

    /// <summary>Reads pairs of hexadecimal digits, at least one, with dots anywhere.</summary>
    public static bool TryParseDotted(ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        int pair = 0, digits = 0;
        foreach (byte octet in text)
        {
            if (octet == (byte)'.') continue;
            int digit = HexText.Digit(octet);
            if (digit < 0) return false;
            pair = pair << 4 | digit;
            if ((++digits & 1) == 0 && !rdata.TryWrite((byte)pair)) return false;
        }
        return digits > 0 && (digits & 1) == 0;
    }

    /// <summary>Writes 0x and lower-case digits.</summary>
    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        writer.Write("0x"u8);
        foreach (byte octet in field) writer.WriteHex(octet, 2);
    }
}
