namespace Dns.Protocol.RecordData;

/// <summary>The set of types of NXT: one bit each for the types 1 to 127 (RFC 2535 §5.2).</summary>
internal static class NxtBitmapField
{
    private const int MaxOctets = 16;

    /// <summary>The length, or -1 unless 1 to 16 octets, the last not 0, and bit 0 (another format) clear.</summary>
    public static int Measure(ReadOnlySpan<byte> rest) =>
        rest.Length is 0 or > MaxOctets || rest[^1] == 0 || (rest[0] & 0x80) != 0 ? -1 : rest.Length;

    /// <summary>Reads one or more mnemonics or numbers up to the end.</summary>
    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        Span<byte> bits = stackalloc byte[MaxOctets];
        bits.Clear();
        while (tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted))
        {
            if (isQuoted || !TryParseType(text, out int type) || type is 0 or > 127)
                return rdata.Fail("a record type from 1 to 127");
            bits[type >> 3] |= (byte)(0x80 >> (type & 7));
            tokens.Position++;
        }
        int length = bits.LastIndexOfAnyExcept((byte)0) + 1;
        return length > 0 ? rdata.TryWrite(bits[..length]) : rdata.Fail("a record type from 1 to 127");
    }

    // A type without a mnemonic is a plain number here (RFC 2535 §5.3); TYPE123 came later.
    private static bool TryParseType(ReadOnlySpan<byte> text, out int type)
    {
        bool isNumber = NumberText.TryParse(text, out ushort number);
        type = number;
        if (isNumber || !RRTypeText.TryParse(text, out RRType named)) return isNumber;
        type = (int)named;
        return true;
    }

    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        bool isFirst = true;
        TypeBitmap.WriteBits(field, 0, ref isFirst, ref writer);
    }
}
