namespace Dns.Protocol.Names;

/// <summary>An error in a name in presentation form.</summary>
public enum NameTextError : byte
{
    /// <summary>Nothing.</summary>
    None,
    /// <summary>The text is empty.</summary>
    Empty,
    /// <summary>Two dots in a row, or a dot in front.</summary>
    EmptyLabel,
    /// <summary>A label of more than 63 octets.</summary>
    LabelTooLong,
    /// <summary>More than 255 octets with length octets and root label.</summary>
    NameTooLong,
    /// <summary>A backslash not followed by three digits up to 255 or another character.</summary>
    BadEscape,
    /// <summary>The name does not end in a dot and no origin is known.</summary>
    NoOrigin,
}

/// <summary>Names in presentation form (RFC 1035 §5.1, RFC 4343 §2.1 for escapes).</summary>
public static class NameText
{
    /// <summary>The longest presentation form: every octet as \DDD, and the dots.</summary>
    public const int MaxChars = WireName.MaxOctets * 4;

    /// <summary>Parses a name in its letter case; relative without a final dot. <c>@</c> is the origin.</summary>
    /// <param name="text">ASCII text; octets above 126 stand for themselves.</param>
    /// <param name="origin">A valid wire name, or empty where relative names are an error.</param>
    /// <param name="destination">At least 255 octets.</param>
    /// <param name="lengthOctets">Length of the wire form; 0 on error.</param>
    public static NameTextError Parse(
        ReadOnlySpan<byte> text, ReadOnlySpan<byte> origin, Span<byte> destination, out int lengthOctets)
    {
        lengthOctets = 0;
        if (text.IsEmpty) return NameTextError.Empty;
        if (text.Length == 1 && text[0] == (byte)'@') return Complete(origin, destination, 0, out lengthOctets);
        if (text.Length == 1 && text[0] == (byte)'.')
        {
            destination[0] = 0;
            lengthOctets = 1;
            return NameTextError.None;
        }
        int labelAt = 0, written = 1, i = 0;
        while (i < text.Length)
        {
            int plain = text[i..].IndexOfAny((byte)'.', (byte)'\\');
            if (plain < 0) plain = text.Length - i;
            if (plain > 0)
            {
                int labelRoom = WireName.MaxLabelOctets - (written - labelAt - 1),
                    nameRoom = WireName.MaxOctets - 1 - written;
                if (plain > Math.Min(labelRoom, nameRoom))
                    return labelRoom <= nameRoom ? NameTextError.LabelTooLong : NameTextError.NameTooLong;
                text.Slice(i, plain).CopyTo(destination[written..]);
                written += plain;
                i += plain;
                continue;
            }
            byte octet = text[i++];
            if (octet == (byte)'.')
            {
                int label = written - labelAt - 1;
                if (label == 0) return NameTextError.EmptyLabel;
                destination[labelAt] = (byte)label;
                if (i == text.Length)
                {
                    if (written >= WireName.MaxOctets) return NameTextError.NameTooLong;
                    destination[written] = 0;
                    lengthOctets = written + 1;
                    return NameTextError.None;
                }
                labelAt = written++;
                if (written >= WireName.MaxOctets) return NameTextError.NameTooLong;
                continue;
            }
            if (!TryUnescape(text, ref i, out octet)) return NameTextError.BadEscape;
            if (written - labelAt > WireName.MaxLabelOctets) return NameTextError.LabelTooLong;
            if (written >= WireName.MaxOctets - 1) return NameTextError.NameTooLong;
            destination[written++] = octet;
        }
        destination[labelAt] = (byte)(written - labelAt - 1);
        return Complete(origin, destination, written, out lengthOctets);
    }

    private static NameTextError Complete(
        ReadOnlySpan<byte> origin, Span<byte> destination, int written, out int lengthOctets)
    {
        lengthOctets = 0;
        if (origin.IsEmpty) return NameTextError.NoOrigin;
        if (written + origin.Length > WireName.MaxOctets) return NameTextError.NameTooLong;
        origin.CopyTo(destination[written..]);
        lengthOctets = written + origin.Length;
        return NameTextError.None;
    }

    /// <summary>Resolves the escape behind a backslash: three decimal digits up to 255, or one character.</summary>
    public static bool TryUnescape(ReadOnlySpan<byte> text, ref int position, out byte octet)
    {
        octet = 0;
        if (position >= text.Length) return false;
        byte first = text[position];
        if (!char.IsAsciiDigit((char)first))
        {
            octet = first;
            position++;
            return true;
        }
        if (position + 3 > text.Length) return false;
        int value = 0;
        for (int i = 0; i < 3; i++)
        {
            byte digit = text[position + i];
            if (!char.IsAsciiDigit((char)digit)) return false;
            value = value * 10 + (digit - '0');
        }
        if (value > 255) return false;
        octet = (byte)value;
        position += 3;
        return true;
    }

    /// <summary>Parses a name from a string for cold paths; the final dot is optional.</summary>
    public static bool TryParse(string text, Span<byte> destination, out int lengthOctets)
    {
        lengthOctets = 0;
        if (text.Length > MaxChars) return false;
        Span<byte> ascii = stackalloc byte[MaxChars];
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] > 0xFF) return false;
            ascii[i] = (byte)text[i];
        }
        return Parse(ascii[..text.Length], WireName.Root, destination, out lengthOctets) == NameTextError.None;
    }

    /// <summary>Writes text with a final dot into <see cref="MaxChars"/> octets or more; returns its length.</summary>
    public static int Format(ReadOnlySpan<byte> name, Span<byte> destination)
    {
        if (name[0] == 0)
        {
            destination[0] = (byte)'.';
            return 1;
        }
        int written = 0;
        for (int i = 0; name[i] != 0; i += name[i] + 1)
        {
            foreach (byte octet in name.Slice(i + 1, name[i])) written += FormatOctet(octet, destination[written..]);
            destination[written++] = (byte)'.';
        }
        return written;
    }

    private static int FormatOctet(byte octet, Span<byte> destination)
    {
        if (octet is <= 0x20 or >= 0x7F)
        {
            destination[0] = (byte)'\\';
            destination[1] = (byte)('0' + octet / 100);
            destination[2] = (byte)('0' + octet / 10 % 10);
            destination[3] = (byte)('0' + octet % 10);
            return 4;
        }
        if (octet is (byte)'.' or (byte)'\\' or (byte)'"' or (byte)';' or (byte)'(' or (byte)')' or (byte)'@'
            or (byte)'$')
        {
            destination[0] = (byte)'\\';
            destination[1] = octet;
            return 2;
        }
        destination[0] = octet;
        return 1;
    }

    /// <summary>The presentation form as a string, for logs and messages.</summary>
    public static string ToText(ReadOnlySpan<byte> name)
    {
        Span<byte> text = stackalloc byte[MaxChars];
        return System.Text.Encoding.Latin1.GetString(text[..Format(name, text)]);
    }

    /// <summary>The description of <paramref name="error"/>, to follow the name in a message.</summary>
    public static string Describe(NameTextError error) => error switch
    {
        NameTextError.Empty => "the name is empty",
        NameTextError.EmptyLabel => "the name has an empty label",
        NameTextError.LabelTooLong => "a label is longer than 63 octets",
        NameTextError.NameTooLong => "the name is longer than 255 octets",
        NameTextError.BadEscape => "a backslash has to be followed by three digits up to 255 or by a character",
        NameTextError.NoOrigin => "the name is relative and there is no origin",
        _ => "",
    };
}
