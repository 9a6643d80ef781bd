namespace Dns.Protocol.RecordData;

/// <summary>Type bitmaps of NSEC, NSEC3 and CSYNC (RFC 4034 §4.1.2).</summary>
/// <remarks><code>
///  +--------+--------+---------------------------+
///  | window | length | 1 to 32 octets, 8 types   |  ... once per window that has types, ascending
///  | 0-255  | 1-32   | each, the first in bit 7  |
///  +--------+--------+---------------------------+
/// </code></remarks>
internal static class TypeBitmap
{
    private const int WindowOctets = 32;
    private const int AllOctets = 256 * WindowOctets;

    /// <summary>The length, or -1 unless windows ascend, have 1 to 32 octets and do not end in a zero octet.</summary>
    public static int Measure(ReadOnlySpan<byte> rest)
    {
        int position = 0, last = -1;
        while (position < rest.Length)
        {
            if (rest.Length - position < 3) return -1;
            int window = rest[position], length = rest[position + 1];
            int end = position + 2 + length;
            if (window <= last || length is 0 or > WindowOctets || end > rest.Length || rest[end - 1] == 0) return -1;
            last = window;
            position = end;
        }
        return position;
    }

    /// <summary>Parses mnemonics up to the end, in any order; repeated types are allowed.</summary>
    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        int start = tokens.Position;
        Span<byte> first = stackalloc byte[WindowOctets];
        first.Clear();
        bool hasOthers = false;
        while (tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted))
        {
            if (isQuoted || !RRTypeText.TryParse(text, out RRType type)) return rdata.Fail("a record type");
            tokens.Position++;
            if ((int)type >> 8 != 0) hasOthers = true;
            else Set(first, (int)type);
        }
        if (!TryWriteWindow(0, first, ref rdata)) return false;
        if (!hasOthers) return true;
        tokens.Position = start;
        return TryParseOthers(ref tokens, ref rdata);
    }

    // Few types are outside of window 0; they cost clearing 8 KB.
    private static bool TryParseOthers(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        Span<byte> all = stackalloc byte[AllOctets];
        all.Clear();
        while (tokens.TryNext(out ReadOnlySpan<byte> text, out _))
        {
            RRTypeText.TryParse(text, out RRType type);
            Set(all, (int)type);
        }
        for (int window = 1; window < 256; window++)
            if (!TryWriteWindow(window, all.Slice(window * WindowOctets, WindowOctets), ref rdata)) return false;
        return true;
    }

    private static void Set(Span<byte> bits, int bit) => bits[bit >> 3] |= (byte)(0x80 >> (bit & 7));

    private static bool TryWriteWindow(int window, scoped ReadOnlySpan<byte> bits, ref RdataBuilder rdata)
    {
        int length = bits.LastIndexOfAnyExcept((byte)0) + 1;
        return length == 0
            || (rdata.TryWrite((byte)window) && rdata.TryWrite((byte)length) && rdata.TryWrite(bits[..length]));
    }

    /// <summary>Writes the mnemonics in ascending order, blanks between them.</summary>
    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        bool isFirst = true;
        for (int position = 0; position < field.Length; position += field[position + 1] + 2)
            WriteBits(field.Slice(position + 2, field[position + 1]), field[position] << 8, ref isFirst, ref writer);
    }

    /// <summary>Writes the mnemonics of the set bits; bit 0 stands for <paramref name="firstType"/>.</summary>
    public static void WriteBits(
        ReadOnlySpan<byte> bits, int firstType, ref bool isFirst, ref PresentationWriter writer)
    {
        for (int bit = 0; bit < bits.Length * 8; bit++)
        {
            if ((bits[bit >> 3] & (0x80 >> (bit & 7))) == 0) continue;
            if (!isFirst) writer.Write((byte)' ');
            writer.WriteType((RRType)(firstType + bit));
            isFirst = false;
        }
    }
}
