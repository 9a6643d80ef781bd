namespace Dns.Protocol.RecordData;

/// <summary>Parses fields that are one word in a format of their own.</summary>
internal static class RdataWordParser
{
    public static bool TryParse(RdataField field, ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted)
            || (isQuoted ? !MayBeQuoted(field) : CharacterStringText.HasQuote(text))
            || !TryParse(field, text, ref rdata))
            return rdata.Fail(Describe(field));
        tokens.Position++;
        // The long formats end the record and may be split into words.
        return field != RdataField.DashedBase64 || tokens.Remaining == 0 || rdata.Fail("the end of the record");
    }

    private static bool MayBeQuoted(RdataField field) =>
        field is RdataField.Text or RdataField.NonEmptyText or RdataField.DigitString;

    private static bool TryParse(RdataField field, ReadOnlySpan<byte> text, ref RdataBuilder rdata) => field switch
    {
        RdataField.Interval => TtlText.TryParse(text, out uint seconds) && rdata.TryWrite(seconds),
        RdataField.Time => TimeText.TryParse(text, out uint time) && rdata.TryWrite(time),
        RdataField.TypeNumber => RRTypeText.TryParse(text, out RRType type) && rdata.TryWrite((ushort)type),
        RdataField.Algorithm or RdataField.AlgorithmMnemonic =>
            RegistryText.Algorithms.TryParse(text, byte.MaxValue, out ushort algorithm) &&
                rdata.TryWrite((byte)algorithm),
        RdataField.CertificateType =>
            RegistryText.CertificateTypes.TryParse(text, ushort.MaxValue, out ushort type) && rdata.TryWrite(type),
        RdataField.KeyFlags => RegistryText.TryParseKeyFlags(text, out ushort flags) && rdata.TryWrite(flags),
        RdataField.KeyProtocol =>
            RegistryText.KeyProtocols.TryParse(text, byte.MaxValue, out ushort protocol) &&
                rdata.TryWrite((byte)protocol),
        RdataField.NotifyScheme =>
            RegistryText.NotifySchemes.TryParse(text, byte.MaxValue, out ushort scheme) && rdata.TryWrite((byte)scheme),
        RdataField.DigitString => text.Length is >= 4 and <= 255 && RdataWire.AreDigits(text)
            && rdata.TryWrite((byte)text.Length) && rdata.TryWrite(text),
        RdataField.Tag => text.Length is >= 1 and <= 255 && RdataWire.IsTag(text)
            && rdata.TryWrite((byte)text.Length) && rdata.TryWrite(text),
        RdataField.Text => TryParseText(text, ref rdata) >= 0,
        RdataField.NonEmptyText => TryParseText(text, ref rdata) > 0,
        RdataField.Salt => TryParseSalt(text, ref rdata),
        RdataField.HashedName => TryParseHashedName(text, ref rdata),
        RdataField.DashedBase64 => text.SequenceEqual("-"u8) || TryParseBase64(text, ref rdata),
        RdataField.Eui48 => TryParseEui(text, 6, ref rdata),
        RdataField.Eui64 => TryParseEui(text, 8, ref rdata),
        RdataField.Locator64 => TryParseLocator(text, ref rdata),
        _ => false,
    };

    private static int TryParseText(ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        if (!CharacterStringText.TryUnescape(text, rdata.Room, out int length)) return -1;
        rdata.Advance(length);
        return length;
    }

    private static bool TryParseSalt(ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        if (text.SequenceEqual("-"u8)) return rdata.TryWrite((byte)0);
        return text.Length is > 0 and <= 510 && rdata.TryWrite((byte)(text.Length / 2))
            && rdata.TryReserve(text.Length / 2, out Span<byte> room) && HexText.TryParse(text, room);
    }

    private static bool TryParseHashedName(ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        if (!rdata.TryReserve(1, out Span<byte> count)) return false;
        Span<byte> room = rdata.Room;
        if (!Base32HexText.TryParse(text, room[..Math.Min(room.Length, 255)], out int length) || length == 0)
            return false;
        count[0] = (byte)length;
        rdata.Advance(length);
        return true;
    }

    private static bool TryParseBase64(ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        Base64Text.Decoder decoder = new(rdata.Room);
        if (!decoder.TryAdd(text) || !decoder.IsComplete || decoder.Written == 0) return false;
        rdata.Advance(decoder.Written);
        return true;
    }

    private static bool TryParseEui(ReadOnlySpan<byte> text, int octets, ref RdataBuilder rdata)
    {
        if (text.Length != octets * 3 - 1) return false;
        for (int i = 0; i < text.Length; i += 3)
        {
            int pair = HexText.Digit(text[i]) << 4 | HexText.Digit(text[i + 1]);
            if (pair < 0 || (i + 2 < text.Length && text[i + 2] != (byte)'-') || !rdata.TryWrite((byte)pair))
                return false;
        }
        return true;
    }

    private static bool TryParseLocator(ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        int groups = 0;
        foreach (Range range in text.Split((byte)':'))
        {
            ReadOnlySpan<byte> group = text[range];
            if (group.Length is 0 or > 4 || ++groups > 4) return false;
            int value = 0;
            foreach (byte octet in group) value = value << 4 | HexText.Digit(octet);
            if (value < 0 || !rdata.TryWrite((ushort)value)) return false;
        }
        return groups == 4;
    }

    private static string Describe(RdataField field) => field switch
    {
        RdataField.Interval => "a number of seconds, or a time such as 1h30m",
        RdataField.Time => "a time as YYYYMMDDHHmmSS, or seconds since 1970",
        RdataField.TypeNumber => "a record type",
        RdataField.Algorithm or RdataField.AlgorithmMnemonic => "a DNSSEC algorithm number or mnemonic",
        RdataField.CertificateType => "a certificate type",
        RdataField.KeyFlags => "a number from 0 to 65535, or flags such as NOCONF|ZONE",
        RdataField.KeyProtocol => "a protocol number or mnemonic",
        RdataField.NotifyScheme => "NOTIFY or a scheme number from 0 to 255",
        RdataField.DigitString => "4 to 255 digits",
        RdataField.Tag => "a tag of 1 to 255 letters and digits",
        RdataField.Text => "a string with valid escapes",
        RdataField.NonEmptyText => "a string that is not empty",
        RdataField.Salt => "a salt of 1 to 255 octets in hexadecimal, or -",
        RdataField.HashedName => "a hashed owner name in base32hex",
        RdataField.DashedBase64 => "base64, or -",
        RdataField.Eui48 => "six pairs of hexadecimal digits with - between them",
        RdataField.Eui64 => "eight pairs of hexadecimal digits with - between them",
        RdataField.Locator64 => "four groups of up to four hexadecimal digits with : between them",
        _ => "RDATA",
    };
}
