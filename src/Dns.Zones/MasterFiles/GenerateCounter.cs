using System.Buffers.Text;

namespace Dns.Zones.MasterFiles;

/// <summary>A <c>$</c> or <c>${offset[,width[,base]]}</c> in <c>$GENERATE</c>: the format of the number.</summary>
/// <param name="Offset">Added to the number.</param>
/// <param name="Width">Minimum width, padded with zeros, 0 to 255.</param>
/// <param name="Base">d, o, x, X for a number; n, N for hexadecimal digits as labels, last to first.</param>
internal readonly record struct GenerateCounter(long Offset, int Width, byte Base)
{
    /// <summary>Maximum length of the form.</summary>
    public const int MaxChars = 256 + 16;

    private const int MaxWidth = 255;

    private static ReadOnlySpan<byte> LowerDigits => "0123456789abcdef"u8;

    private static ReadOnlySpan<byte> UpperDigits => "0123456789ABCDEF"u8;

    /// <summary>Reads the text after the dollar sign and moves past it.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, ref int at, out GenerateCounter counter)
    {
        counter = new GenerateCounter(0, 0, (byte)'d');
        if (at >= text.Length || text[at] != (byte)'{') return true;
        int length = text[at..].IndexOf((byte)'}');
        if (length < 0) return false;
        ReadOnlySpan<byte> fields = text.Slice(at + 1, length - 1);
        at += length + 1;
        return TryParseFields(fields, out counter);
    }

    private static bool TryParseFields(ReadOnlySpan<byte> fields, out GenerateCounter counter)
    {
        int width = 0;
        byte numberBase = (byte)'d';
        counter = default;
        if (!Utf8Parser.TryParse(fields, out int offset, out int used)) return false;
        fields = fields[used..];
        if (!fields.IsEmpty)
        {
            if (fields[0] != (byte)',' || !Utf8Parser.TryParse(fields[1..], out width, out used)) return false;
            if (width is < 0 or > MaxWidth) return false;
            fields = fields[(used + 1)..];
        }
        if (!fields.IsEmpty)
        {
            if (fields.Length != 2 || fields[0] != (byte)',' || !"doxXnN"u8.Contains(fields[1])) return false;
            numberBase = fields[1];
        }
        counter = new GenerateCounter(offset, width, numberBase);
        return true;
    }

    /// <summary>Writes a number, at most <see cref="MaxChars"/> characters.</summary>
    /// <returns>False if it is negative, or above 2^31-1, after adding the offset.</returns>
    public bool TryFormat(long value, Span<byte> destination, out int written)
    {
        value += Offset;
        written = 0;
        if (value is < 0 or > int.MaxValue) return false;
        ReadOnlySpan<byte> digits = Base is (byte)'X' or (byte)'N' ? UpperDigits : LowerDigits;
        written = Base is (byte)'n' or (byte)'N'
            ? FormatNibbles(value, digits, destination)
            : FormatNumber(value, Base switch { (byte)'d' => 10, (byte)'o' => 8, _ => 16 }, digits, destination);
        return true;
    }

    private int FormatNumber(long value, int numberBase, ReadOnlySpan<byte> digits, Span<byte> destination)
    {
        int written = 0;
        do
        {
            destination[written++] = digits[(int)(value % numberBase)];
            value /= numberBase;
        }
        while (value > 0);
        while (written < Width) destination[written++] = (byte)'0';
        destination[..written].Reverse();
        return written;
    }

    // The width counts the dots too; a form that would end in a dot does.
    private int FormatNibbles(long value, ReadOnlySpan<byte> digits, Span<byte> destination)
    {
        int written = 0, width = Width;
        do
        {
            destination[written++] = digits[(int)(value & 0xF)];
            value >>= 4;
            if (width > 0) width--;
            if (width > 0 || value != 0)
            {
                destination[written++] = (byte)'.';
                if (width > 0) width--;
            }
        }
        while (value != 0 || width > 0);
        return written;
    }
}
